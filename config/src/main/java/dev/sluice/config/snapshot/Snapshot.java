package dev.sluice.config.snapshot;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.List;

/**
 * A cluster at one instant.
 *
 * @param at the instant
 * @param seed the random seed
 * @param partitions the configuration
 * @param nodes the nodes; equal nodes are one entry
 * @param applications the applications with their tasks
 * @param queues past usage of queues
 * @param settings settings of partitions that are not in the configuration
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

    /** Creates a snapshot whose partitions have the same seed and no throttle. */
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
