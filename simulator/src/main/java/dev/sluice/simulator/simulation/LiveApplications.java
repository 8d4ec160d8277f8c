package dev.sluice.simulator.simulation;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The applications that have not ended, in order of submission, by partition and id. */
final class LiveApplications {

    private final Map<String, Map<String, LiveApplication>> partitions = new LinkedHashMap<>();
    private String lastPartition = "";
    private Map<String, LiveApplication> lastMap = new LinkedHashMap<>();
    private int size;

    void put(String partition, LiveApplication application) {
        of(partition).put(application.application.id(), application);
        size++;
    }

    @Nullable LiveApplication get(String partition, String id) {
        return of(partition).get(id);
    }

    /** Removes and returns an application, or returns null. */
    @Nullable LiveApplication remove(String partition, String id) {
        LiveApplication removed = of(partition).remove(id);
        size -= removed == null ? 0 : 1;
        return removed;
    }

    int size() {
        return size;
    }

    /** Returns the applications of one partition. */
    Collection<LiveApplication> in(String partition) {
        return of(partition).values();
    }

    private Map<String, LiveApplication> of(String partition) {
        if (!partition.equals(lastPartition)) {
            lastPartition = partition;
            lastMap = partitions.computeIfAbsent(partition, name -> new LinkedHashMap<>());
        }
        return lastMap;
    }
}
