package dev.sluice.config.situation;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.List;

/**
 * What {@code sluice run} is given: applications whose tasks have commands.
 *
 * @param at when they are submitted, where a file does not say so
 * @param seed of the random generator
 * @param partitions how they share the machine; the simplest if the file does not say so
 * @param nodes the parts of this machine that they run on; empty for the machine as it is
 * @param applications the applications; every task has a command
 * @param queues what queues have used before; no task tells that
 */
public record JobFile(
        Instant at,
        long seed,
        List<PartitionConfiguration> partitions,
        List<NodeEntry> nodes,
        List<ApplicationEntry> applications,
        List<QueueEntry> queues) {

    /** Copies the lists. */
    public JobFile {
        partitions = List.copyOf(partitions);
        nodes = List.copyOf(nodes);
        applications = List.copyOf(applications);
        queues = List.copyOf(queues);
    }
}
