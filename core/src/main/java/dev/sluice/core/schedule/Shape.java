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
final class Shape {

    final Key key;
    final long[] demand;
    final long labelMask;
    private final boolean requiresLabels;
    private @Nullable PairedRoom pairs;
    private long[] sought = {};

    /** How many backlogs are of this shape; at none it is forgotten. */
    int uses;

    /** The cycle in which no node had room for it. */
    long cycleWithoutRoom = -1;

    Shape(Key key, long[] demand, long labelMask) {
        this.key = key;
        this.demand = demand;
        this.labelMask = labelMask;
        this.requiresLabels = !key.labels.isEmpty();
    }

    int priority() {
        return key.priority;
    }

    @Nullable String requiredNode() {
        return key.requiredNode;
    }

    /** The demand with its pairs, worked out once as long as nodes stay. */
    long[] soughtIn(PairedRoom rooms) {
        if (pairs != rooms) {
            pairs = rooms;
            sought = rooms.completed(demand);
        }
        return sought;
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
