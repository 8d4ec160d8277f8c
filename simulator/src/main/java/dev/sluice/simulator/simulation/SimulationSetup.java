package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import dev.sluice.simulator.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a simulation.
 *
 * @param variant the configuration or bound, and the name of the nodes
 * @param kind whether it is a configuration or a bound
 * @param partitions the configured partitions
 * @param nodes the nodes
 * @param capacityScale the factor by which the node capacities exceed the capacities to report; 1 except for the bound
 *     of infinite nodes
 * @param workload the workload, in order of submission
 * @param begin the first submission
 * @param until when to stop; null: when all applications have ended
 * @param sampling the sampling interval of the cluster; greater than 0
 * @param sizeResource the resource that defines task sizes
 * @param seed the seed of the random draws of share policies
 */
public record SimulationSetup(
        RunVariant variant,
        RunFigures.RunKind kind,
        List<PartitionConfiguration> partitions,
        List<NodeEntry> nodes,
        long capacityScale,
        Workload workload,
        Instant begin,
        @Nullable Instant until,
        Duration sampling,
        String sizeResource,
        long seed) {

    /** @throws IllegalArgumentException unless the sampling interval is greater than 0 */
    public SimulationSetup {
        partitions = List.copyOf(partitions);
        nodes = List.copyOf(nodes);
        if (sampling.toMillis() <= 0) {
            throw new IllegalArgumentException("sampling interval must be at least 1 ms: " + sampling);
        }
    }
}
