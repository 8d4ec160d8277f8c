package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is simulated.
 *
 * @param name of the configuration
 * @param kind whether it is a configuration or a bound
 * @param partitions how work is shared
 * @param nodes what it runs on
 * @param capacityScale how many times more the nodes have than figures should count; 1 but for the bound of infinite nodes
 * @param workload what is submitted; in order of submission
 * @param begin the first submission
 * @param until when to stop, or null to go on until all has ended
 * @param sampling the time between two looks at the cluster; above zero
 * @param sizeResource the resource that sizes of tasks are told by
 * @param seed of the lots that share policies draw
 */
public record SimulationSetup(
        String name,
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

    /** Copies the lists; throws {@link IllegalArgumentException} unless the time between two looks is above zero. */
    public SimulationSetup {
        partitions = List.copyOf(partitions);
        nodes = List.copyOf(nodes);
        if (sampling.toMillis() <= 0) {
            throw new IllegalArgumentException("looks at the cluster are at least a millisecond apart: " + sampling);
        }
    }
}
