package dev.sluice.simulator.measure;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Tasks that fit on the same nodes, and how many of them wait. */
final class WaitingClass {

    /** What decides on which nodes a task fits. */
    record FitKey(
            Resources resources,
            SortedMap<String, String> labels,
            @Nullable String node) {

        static FitKey of(TaskKind kind) {
            return new FitKey(kind.resources(), kind.requiredLabels(), kind.requiredNode());
        }
    }

    private final FitKey key;
    private final long[] demand;
    private final @Nullable TaskGroup gate;
    long waiting;

    /** How many groups of tasks that are alive have this shape. */
    int groups;

    /**
     * A shape of which nothing waits yet.
     *
     * @param gate a group that waits for others as long as it says so; or null
     */
    WaitingClass(FitKey key, long[] demand, @Nullable TaskGroup gate) {
        this.key = key;
        this.demand = demand;
        this.gate = gate;
    }

    /** Whether some of it could be placed now if there were room. */
    boolean isPlaceable() {
        return waiting > 0 && (gate == null || !gate.isWaiting());
    }

    /** Whether one of it could be placed on this node, whatever quotas and policies say. */
    boolean fits(Node node) {
        if (key.node() != null && !key.node().equals(node.name())) {
            return false;
        }
        for (Map.Entry<String, String> label : key.labels().entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return false;
            }
        }
        return node.fits(demand);
    }

    /** Whether this fits wherever the other one fits. */
    boolean fitsWherever(WaitingClass other) {
        if ((key.node() != null && !key.node().equals(other.key.node()))
                || !other.key.labels().entrySet().containsAll(key.labels().entrySet())) {
            return false;
        }
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > (type < other.demand.length ? other.demand[type] : 0)) {
                return false;
            }
        }
        return true;
    }
}
