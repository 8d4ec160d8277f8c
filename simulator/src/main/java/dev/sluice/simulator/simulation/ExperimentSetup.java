package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Several configurations, and possibly several sets of nodes, to run on the same workload.
 *
 * @param workload the workload, in any order
 * @param statistics the statistics of the workload
 * @param clusters the nodes to run it on, at least one; each is simulated with each configuration
 * @param variants the configurations, at least one
 * @param repetitions the number of repetitions of each run, at least 1; the first has the workload as it is, the others
 *     have it {@linkplain Workload#redrawn drawn anew}
 * @param bounds whether to compute the bounds; not with several clusters
 * @param timeScale the factor applied to interarrival times; greater than 0
 * @param until when to stop; null: when all applications have ended
 * @param sampling the sampling interval of the cluster; null: derived from the time span of the workload
 * @param seed the random seed
 * @param threads the number of simulations that run at the same time; at least 1
 */
public record ExperimentSetup(
        Workload workload,
        WorkloadStatistics statistics,
        List<ExperimentCluster> clusters,
        List<ExperimentVariant> variants,
        int repetitions,
        boolean bounds,
        double timeScale,
        @Nullable Instant until,
        @Nullable Duration sampling,
        long seed,
        int threads) {

    /**
     * The nodes of some runs.
     *
     * @param name the name of the nodes, part of the names of these runs; empty if it need not be said
     * @param nodes the nodes
     */
    public record ExperimentCluster(String name, List<NodeEntry> nodes) {

        public ExperimentCluster {
            nodes = List.copyOf(nodes);
        }

        /** Returns the figures of these nodes, for a workload with this total demand by resource type. */
        ClusterFigures figures(SortedMap<String, Double> work) {
            SortedMap<String, Long> capacity = new TreeMap<>();
            for (NodeEntry node : nodes) {
                node.capacity()
                        .amounts()
                        .forEach((type, amount) -> capacity.merge(type, amount.value() * node.size(), Long::sum));
            }
            int count = nodes.stream().mapToInt(NodeEntry::size).sum();
            return ClusterFigures.of(name, count, capacity, work);
        }
    }

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
        clusters = List.copyOf(clusters);
        variants = List.copyOf(variants);
        if (variants.isEmpty() || clusters.isEmpty() || (bounds && clusters.size() > 1)) {
            throw new IllegalArgumentException("at least one configuration and one cluster required, bounds only with"
                    + " one: " + variants + ", " + clusters);
        }
        if (!(timeScale > 0) || Double.isInfinite(timeScale) || threads < 1 || repetitions < 1) {
            throw new IllegalArgumentException(
                    "a time scale greater than 0, at least one repetition and at least one thread required: "
                            + timeScale + ", " + repetitions + ", " + threads);
        }
    }

    /** Returns an experiment with the same workload, without bounds. */
    ExperimentSetup with(
            List<ExperimentCluster> otherClusters, List<ExperimentVariant> otherVariants, int otherThreads) {
        return new ExperimentSetup(
                workload,
                statistics,
                otherClusters,
                otherVariants,
                repetitions,
                false,
                timeScale,
                until,
                sampling,
                seed,
                otherThreads);
    }
}
