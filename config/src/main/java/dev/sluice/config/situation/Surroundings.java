package dev.sluice.config.situation;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What applications are read within: the instant, the partitions, and whether they are there or are only to be run. */
final class Surroundings {

    private final Instant at;
    private final boolean jobs;
    private final Map<String, KnownPartition> partitions = new LinkedHashMap<>();

    private Surroundings(Instant at, boolean jobs, List<PartitionConfiguration> configurations) {
        this.at = at;
        this.jobs = jobs;
        configurations.forEach(each -> partitions.put(each.name(), new KnownPartition(each)));
    }

    /** Of a situation. */
    static Surroundings ofSituation(Instant at, List<PartitionConfiguration> partitions) {
        return new Surroundings(at, false, partitions);
    }

    /** Of a job file. */
    static Surroundings ofJobs(Instant at, List<PartitionConfiguration> partitions) {
        return new Surroundings(at, true, partitions);
    }

    Instant at() {
        return at;
    }

    /** Whether these are jobs to be run: every task has a command and waits for its place. */
    boolean areJobs() {
        return jobs;
    }

    /** The name that is written under {@code partition}, which must be known if any is. */
    String partitionName(Section section) {
        Field field = section.get("partition");
        String written = field == null ? null : field.asText();
        String name = written == null || written.equalsIgnoreCase(PartitionConfiguration.DEFAULT_NAME)
                ? PartitionConfiguration.DEFAULT_NAME
                : written;
        boolean unreadable = field != null && written == null;
        if (!partitions.isEmpty() && !partitions.containsKey(name) && !unreadable) {
            (field == null ? section.self() : field).unknown("partition", name, partitions.keySet());
        }
        return name;
    }

    /** The partition of this name, or null if it is not known. */
    @Nullable KnownPartition partition(String name) {
        return partitions.get(name);
    }

    /** An instant that has come already; one that has not is a problem. */
    @Nullable Instant past(Field field) {
        Instant instant = field.asInstant();
        if (instant != null && instant.isAfter(at)) {
            field.problem(instant + " is after the instant of this file, " + at);
            return null;
        }
        return instant;
    }
}
