package dev.sluice.runtime.journal;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who uses what: what runs of equal tasks have in common.
 *
 * @param queue the path of the leaf queue
 * @param application the name of the application, shared by recurring runs of the same workload
 * @param resources the resources of a run by type, in base units, without slots
 */
public record RunAccount(
        String partition, String queue, String user, String application, SortedMap<String, Long> resources) {

    /** Copies the resources. */
    public RunAccount {
        resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
    }
}
