package dev.sluice.core.configuration;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration of a partition: its queue tree, placement rules and node order.
 *
 * @param name the partition's name
 * @param root the queue {@code root}
 * @param placementRules tried in order; if empty, applications go to the queue that they name
 * @param nodeSortPolicy the order of nodes
 * @param resourceWeights the weight of each resource type in a node's utilisation, 0 or greater; types that are not
 *     named weigh 0
 * @param preemption whether preemption is enabled, as in YuniKorn
 */
public record PartitionConfiguration(
        String name,
        QueueConfiguration root,
        List<PlacementRule> placementRules,
        NodeSortPolicy nodeSortPolicy,
        SortedMap<String, Double> resourceWeights,
        boolean preemption) {

    /** The default name of a partition. */
    public static final String DEFAULT_NAME = "default";

    /** The default weights: cores and memory count equally. */
    public static final SortedMap<String, Double> DEFAULT_WEIGHTS =
            Collections.unmodifiableSortedMap(new TreeMap<>(Map.of("vcore", 1.0, "memory", 1.0)));

    /** Copies the collections; throws {@link IllegalArgumentException} if a weight is negative or not a number. */
    public PartitionConfiguration {
        placementRules = List.copyOf(placementRules);
        resourceWeights = Collections.unmodifiableSortedMap(new TreeMap<>(resourceWeights));
        resourceWeights.forEach((type, weight) -> {
            if (!(weight >= 0) || weight.isInfinite()) {
                throw new IllegalArgumentException("weight of " + type + " must be 0 or greater: " + weight);
            }
        });
    }

    /** Returns a partition with this tree and defaults otherwise. */
    public static PartitionConfiguration of(String name, QueueConfiguration root) {
        return new PartitionConfiguration(name, root, List.of(), NodeSortPolicy.FAIR, DEFAULT_WEIGHTS, true);
    }

    public PartitionConfiguration withRoot(QueueConfiguration newRoot) {
        return new PartitionConfiguration(name, newRoot, placementRules, nodeSortPolicy, resourceWeights, preemption);
    }

    public PartitionConfiguration withPlacementRules(List<PlacementRule> newRules) {
        return new PartitionConfiguration(name, root, newRules, nodeSortPolicy, resourceWeights, preemption);
    }

    /** Returns the default configuration: one leaf queue, {@code root.default}. */
    public static PartitionConfiguration simplest() {
        return of(DEFAULT_NAME, QueueConfiguration.parent("root", QueueConfiguration.leaf("default")));
    }
}
