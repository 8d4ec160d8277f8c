package dev.sluice.core.configuration;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One partition, as configured: its queue tree, how applications find their queue, and how its nodes are ordered.
 *
 * @param name the partition's name
 * @param root the queue {@code root}
 * @param placementRules tried in order; none: the queue that the submission names
 * @param nodeSortPolicy the order of nodes
 * @param resourceWeights what each resource type weighs in a node's utilisation; never negative; types that are not named weigh 0
 * @param preemption whether preemption is switched on, as YuniKorn writes it
 */
public record PartitionConfiguration(
        String name,
        QueueConfiguration root,
        List<PlacementRule> placementRules,
        NodeSortPolicy nodeSortPolicy,
        SortedMap<String, Double> resourceWeights,
        boolean preemption) {

    /** The name of a partition where none is given. */
    public static final String DEFAULT_NAME = "default";

    /** What weighs where no weights are given: cores and memory alike. */
    public static final SortedMap<String, Double> DEFAULT_WEIGHTS =
            Collections.unmodifiableSortedMap(new TreeMap<>(Map.of("vcore", 1.0, "memory", 1.0)));

    /** Copies the collections; throws {@link IllegalArgumentException} when a weight is negative or not a number. */
    public PartitionConfiguration {
        placementRules = List.copyOf(placementRules);
        resourceWeights = Collections.unmodifiableSortedMap(new TreeMap<>(resourceWeights));
        resourceWeights.forEach((type, weight) -> {
            if (!(weight >= 0) || weight.isInfinite()) {
                throw new IllegalArgumentException("weight of " + type + " must be 0 or greater: " + weight);
            }
        });
    }

    /** A partition with this tree and nothing else set. */
    public static PartitionConfiguration of(String name, QueueConfiguration root) {
        return new PartitionConfiguration(name, root, List.of(), NodeSortPolicy.FAIR, DEFAULT_WEIGHTS, true);
    }

    /** The same with other queues. */
    public PartitionConfiguration withRoot(QueueConfiguration newRoot) {
        return new PartitionConfiguration(name, newRoot, placementRules, nodeSortPolicy, resourceWeights, preemption);
    }

    /** The same with other placement rules. */
    public PartitionConfiguration withPlacementRules(List<PlacementRule> newRules) {
        return new PartitionConfiguration(name, root, newRules, nodeSortPolicy, resourceWeights, preemption);
    }

    /** The partition of somebody who configures nothing: one leaf, {@code root.default}. */
    public static PartitionConfiguration simplest() {
        return of(DEFAULT_NAME, QueueConfiguration.parent("root", QueueConfiguration.leaf("default")));
    }
}
