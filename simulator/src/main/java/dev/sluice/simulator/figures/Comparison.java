package dev.sluice.simulator.figures;

import java.util.List;

/**
 * The simulation results of several configurations, and possibly several sets of nodes, on the same workload.
 *
 * @param workload the workload
 * @param runs one run for each nodes and configuration, in the order given, followed by the bounds; with repetitions,
 *     the first repetition of each, with the spread over all
 * @param clusters the nodes, in the order given; at least one
 * @param repetitions the number of repetitions; 1 without
 * @param enough how many nodes are enough, by configuration; empty if that was not asked
 */
public record Comparison(
        WorkloadFigures workload,
        List<RunFigures> runs,
        List<ClusterFigures> clusters,
        int repetitions,
        List<SmallestCluster> enough) {

    public Comparison {
        runs = List.copyOf(runs);
        clusters = List.copyOf(clusters);
        enough = List.copyOf(enough);
    }

    /** A comparison of single simulations on the same nodes. */
    public Comparison(WorkloadFigures workload, List<RunFigures> runs, ClusterFigures cluster) {
        this(workload, runs, List.of(cluster), 1, List.of());
    }
}
