package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several configurations to run on the same workload.
 *
 * @param workload the workload, in any order
 * @param statistics the statistics of the workload
 * @param nodes the nodes to run it on
 * @param variants the configurations, at least one
 * @param bounds whether to compute the bounds
 * @param timeScale the factor applied to interarrival times; greater than 0
 * @param until when to stop; null: when all applications have ended
 * @param sampling the sampling interval of the cluster; null: derived from the time span of the workload
 * @param seed the random seed
 * @param threads the number of simulations that run at the same time; at least 1
 */
public record ExperimentSetup(
        Workload workload,
        WorkloadStatistics statistics,
        List<NodeEntry> nodes,
        List<ExperimentVariant> variants,
        boolean bounds,
        double timeScale,
        @Nullable Instant until,
        @Nullable Duration sampling,
        long seed,
        int threads) {

    /**
     * A configuration.
     *
     * @param name its name in tables
     * @param partitions the configured partitions
     */
    public record ExperimentVariant(String name, List<PartitionConfiguration> partitions) {

        public ExperimentVariant {
            partitions = List.copyOf(partitions);
        }
    }

    /** @throws IllegalArgumentException if a value is out of range */
    public ExperimentSetup {
        nodes = List.copyOf(nodes);
        variants = List.copyOf(variants);
        if (variants.isEmpty() || !(timeScale > 0) || Double.isInfinite(timeScale) || threads < 1) {
            throw new IllegalArgumentException(
                    "at least one configuration, a time scale greater than 0 and at least one thread required: "
                            + variants + ", " + timeScale + ", " + threads);
        }
    }
}
