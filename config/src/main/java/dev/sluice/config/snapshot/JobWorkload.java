package dev.sluice.config.snapshot;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.List;

/**
 * A job file for a simulation: applications, when they are submitted, and how long their tasks run.
 *
 * @param seed the random seed
 * @param partitions the partitions; empty if the file has none
 * @param nodes the nodes; empty if the file has none
 * @param submissions the applications in the order of the file
 */
public record JobWorkload(
        long seed,
        List<PartitionConfiguration> partitions,
        List<NodeEntry> nodes,
        List<WorkloadSubmission> submissions) {

    /** Copies the lists. */
    public JobWorkload {
        partitions = List.copyOf(partitions);
        nodes = List.copyOf(nodes);
        submissions = List.copyOf(submissions);
    }
}
