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
 * Several configurations that are to be tried on the same workload.
 *
 * @param workload what is submitted, in any order
 * @param statistics what one pass over it told
 * @param nodes what it runs on
 * @param variants the configurations, at least one
 * @param bounds whether the bounds are worked out too
 * @param timeScale what the times between submissions are multiplied by; above 0
 * @param until when to stop, or null to go on until all has ended
 * @param sampling the time between two looks at the cluster; null: as fits the time the workload spans
 * @param seed of everything that is drawn by lot
 * @param threads how many configurations are simulated at a time; at least 1
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
     * @param name what tables call it
     * @param partitions how it shares the nodes
     */
    public record ExperimentVariant(String name, List<PartitionConfiguration> partitions) {

        /** Copies the list. */
        public ExperimentVariant {
            partitions = List.copyOf(partitions);
        }
    }

    /** Copies the lists; throws {@link IllegalArgumentException} when a value is out of its range. */
    public ExperimentSetup {
        nodes = List.copyOf(nodes);
        variants = List.copyOf(variants);
        if (variants.isEmpty() || !(timeScale > 0) || Double.isInfinite(timeScale) || threads < 1) {
            throw new IllegalArgumentException("there is a configuration, a time scale above 0 and a thread at least: "
                    + variants + ", " + timeScale + ", " + threads);
        }
    }
}
