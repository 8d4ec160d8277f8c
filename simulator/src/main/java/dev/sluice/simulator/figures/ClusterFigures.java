package dev.sluice.simulator.figures;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The nodes of some runs.
 *
 * @param name the name of the nodes; empty if all runs have the same nodes
 * @param nodes the number of nodes
 * @param capacity their total capacity by resource type, in base units
 * @param scarcest the resources that tasks request and nodes have, highest demand relative to the capacity first
 */
public record ClusterFigures(String name, int nodes, SortedMap<String, Long> capacity, List<String> scarcest) {

    public ClusterFigures {
        capacity = Collections.unmodifiableSortedMap(new TreeMap<>(capacity));
        scarcest = List.copyOf(scarcest);
    }

    /**
     * Returns the figures of a cluster.
     *
     * @param work the total demand of the workload by resource type
     */
    public static ClusterFigures of(
            String name, int nodes, SortedMap<String, Long> capacity, SortedMap<String, Double> work) {
        Comparator<String> byDemand =
                Comparator.comparingDouble(type -> -work.getOrDefault(type, 0.0) / capacity.getOrDefault(type, 1L));
        List<String> scarcest = work.keySet().stream()
                .filter(type -> work.getOrDefault(type, 0.0) > 0 && capacity.getOrDefault(type, 0L) > 0)
                .sorted(byDemand.thenComparing(Comparator.naturalOrder()))
                .toList();
        return new ClusterFigures(name, nodes, capacity, scarcest);
    }
}
