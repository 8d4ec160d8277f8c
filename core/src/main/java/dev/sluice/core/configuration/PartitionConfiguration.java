package dev.sluice.core.configuration;

import java.util.Collections;
import java.util.HashSet;
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
 * @param preemption whether tasks are preempted for guaranteed resources and priorities, as in YuniKorn
 * @param quotaPreemption whether tasks of queues above their maximum are preempted, as in YuniKorn
 * @param topology the labels of nodes that name their topology domains, from the widest domain to the narrowest
 */
public record PartitionConfiguration(
        String name,
        QueueConfiguration root,
        List<PlacementRule> placementRules,
        NodeSortPolicy nodeSortPolicy,
        SortedMap<String, Double> resourceWeights,
        boolean preemption,
        boolean quotaPreemption,
        List<String> topology) {

    /** The default name of a partition. */
    public static final String DEFAULT_NAME = "default";

    /** The default weights: cores and memory count equally. */
    public static final SortedMap<String, Double> DEFAULT_WEIGHTS =
            Collections.unmodifiableSortedMap(new TreeMap<>(Map.of("vcore", 1.0, "memory", 1.0)));

    /** Copies the collections; throws {@link IllegalArgumentException} if a weight is negative or not a number. */
    public PartitionConfiguration {
        placementRules = List.copyOf(placementRules);
        topology = List.copyOf(topology);
        if (new HashSet<>(topology).size() < topology.size()) {
            throw new IllegalArgumentException("topology names a label twice: " + topology);
        }
        resourceWeights = Collections.unmodifiableSortedMap(new TreeMap<>(resourceWeights));
        resourceWeights.forEach((type, weight) -> {
            if (!(weight >= 0) || weight.isInfinite()) {
                throw new IllegalArgumentException("weight of " + type + " must be 0 or greater: " + weight);
            }
        });
    }

    /** Creates a partition without topology that does not preempt tasks of queues above their maximum. */
    public PartitionConfiguration(
            String name,
            QueueConfiguration root,
            List<PlacementRule> placementRules,
            NodeSortPolicy nodeSortPolicy,
            SortedMap<String, Double> resourceWeights,
            boolean preemption) {
        this(name, root, placementRules, nodeSortPolicy, resourceWeights, preemption, false, List.of());
    }

    /** Returns a partition with this tree and defaults otherwise. */
    public static PartitionConfiguration of(String name, QueueConfiguration root) {
        return new PartitionConfiguration(name, root, List.of(), NodeSortPolicy.FAIR, DEFAULT_WEIGHTS, true);
    }

    public PartitionConfiguration withRoot(QueueConfiguration newRoot) {
        return new PartitionConfiguration(
                name, newRoot, placementRules, nodeSortPolicy, resourceWeights, preemption, quotaPreemption, topology);
    }

    public PartitionConfiguration withPlacementRules(List<PlacementRule> newRules) {
        return new PartitionConfiguration(
                name, root, newRules, nodeSortPolicy, resourceWeights, preemption, quotaPreemption, topology);
    }

    public PartitionConfiguration withTopology(List<String> newTopology) {
        return new PartitionConfiguration(
                name, root, placementRules, nodeSortPolicy, resourceWeights, preemption, quotaPreemption, newTopology);
    }

    /** Returns the partition with or without preemption for guarantees and priorities, and for lowered maxima. */
    public PartitionConfiguration withPreemption(boolean enabled, boolean quota) {
        return new PartitionConfiguration(
                name, root, placementRules, nodeSortPolicy, resourceWeights, enabled, quota, topology);
    }

    /** Returns the default configuration: one leaf queue, {@code root.default}. */
    public static PartitionConfiguration simplest() {
        return of(DEFAULT_NAME, QueueConfiguration.parent("root", QueueConfiguration.leaf("default")));
    }
}
