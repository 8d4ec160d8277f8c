package dev.sluice.config.snapshot;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.List;

/**
 * What a job file holds for a simulation: applications, when they are submitted, and how long their tasks run.
 *
 * @param seed of the random generator
 * @param partitions how applications share the nodes; empty if the file does not say so
 * @param nodes what there is to share; empty if the file does not say so
 * @param submissions the applications, in the order of the file
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
