package dev.sluice.core.schedule;

import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * An equivalence class of tasks: the same resources, priority and constraints. What the scheduler finds out for one
 * task of a class holds for all of them.
 */
final class EquivalenceClass {

    final Key key;
    final long[] demand;
    final long labelMask;
    private final int priority;
    private final boolean requiresLabels;

    /** The prepared search for a node, reused by all searches of this class. */
    NodeOrder.@Nullable Search search;

    /** The number of backlogs of this class. The class is forgotten when it reaches 0. */
    int uses;

    /** The number of the last cycle in which no node fitted this class, or -1. */
    long cycleWithoutCapacity = -1;

    /**
     * The generation of nodes for which {@link #feasible} and {@link #feasibleOnReadyNodes} were determined; see
     * {@link NodeClasses}.
     */
    long checkedGeneration = -1;

    boolean feasible;
    boolean feasibleOnReadyNodes;

    EquivalenceClass(Key key, long[] demand, long labelMask) {
        this.key = key;
        this.demand = demand;
        this.labelMask = labelMask;
        this.priority = key.priority;
        this.requiresLabels = !key.labels.isEmpty();
    }

    int priority() {
        return priority;
    }

    @Nullable String requiredNode() {
        return key.requiredNode;
    }

    /** Returns whether the node has the required labels. */
    boolean mayRunOn(Node node) {
        if (!requiresLabels) {
            return true;
        }
        for (Map.Entry<String, String> label : key.labels.entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** What tasks of the same class have in common. */
    record Key(
            Resources resources,
            int priority,
            SortedMap<String, String> labels,
            @Nullable String requiredNode) {}
}
