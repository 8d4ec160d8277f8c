package dev.sluice.core.schedule;

import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What tasks have in common that are alike to the scheduler: what they take, their priority and where they may run. What is true
 * of one of them is true of all.
 */
final class EquivalenceClass {

    final Key key;
    final long[] demand;
    final long labelMask;
    private final int priority;
    private final boolean requiresLabels;

    /** How it was looked for last; kept because it is looked for again and again. */
    NodeOrder.@Nullable Search search;

    /** How many backlogs are of this shape; at none it is forgotten. */
    int uses;

    /** The cycle in which no node had room for it. */
    long cycleWithoutCapacity = -1;

    /** When it was last judged whether some node, and some ready node, could hold it, and the verdicts; see {@link NodeClasses}. */
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

    /** Whether the node's labels say what these tasks require. */
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

    /** What makes two shapes the same. */
    record Key(
            Resources resources,
            int priority,
            SortedMap<String, String> labels,
            @Nullable String requiredNode) {}
}
