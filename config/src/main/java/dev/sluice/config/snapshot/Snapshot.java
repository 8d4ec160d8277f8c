package dev.sluice.config.snapshot;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.List;

/**
 * A cluster at one instant, written down.
 *
 * @param at the instant
 * @param seed of the random generator
 * @param partitions how it is configured
 * @param nodes its nodes, several that are alike as one entry
 * @param applications its applications and their tasks
 * @param queues what no task tells about a queue
 * @param settings what no configuration tells about a partition
 */
public record Snapshot(
        Instant at,
        long seed,
        List<PartitionConfiguration> partitions,
        List<NodeEntry> nodes,
        List<ApplicationEntry> applications,
        List<QueueEntry> queues,
        List<PartitionEntry> settings) {

    /** Copies the lists. */
    public Snapshot {
        partitions = List.copyOf(partitions);
        nodes = List.copyOf(nodes);
        applications = List.copyOf(applications);
        queues = List.copyOf(queues);
        settings = List.copyOf(settings);
    }

    /** One in which all partitions have the same seed and none is throttled. */
    public Snapshot(
            Instant at,
            long seed,
            List<PartitionConfiguration> partitions,
            List<NodeEntry> nodes,
            List<ApplicationEntry> applications,
            List<QueueEntry> queues) {
        this(at, seed, partitions, nodes, applications, queues, List.of());
    }
}
