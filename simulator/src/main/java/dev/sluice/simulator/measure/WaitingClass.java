package dev.sluice.simulator.measure;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Tasks that fit on the same nodes, and the number of them that wait. */
final class WaitingClass {

    /** The properties that decide on which nodes a task fits. */
    record FitKey(
            Resources resources,
            SortedMap<String, String> labels,
            @Nullable String node) {

        static FitKey of(TaskKind kind) {
            return new FitKey(kind.resources(), kind.requiredLabels(), kind.requiredNode());
        }
    }

    private final FitKey key;
    private final long[] demand; // by resource type of the partition
    private final @Nullable TaskGroup gate;
    long waiting;

    /** The number of live task groups in this class. */
    int groups;

    /**
     * Creates a class without waiting tasks.
     *
     * @param gate a group that is not schedulable before the tasks it depends on have ended; or null
     */
    WaitingClass(FitKey key, long[] demand, @Nullable TaskGroup gate) {
        this.key = key;
        this.demand = demand;
        this.gate = gate;
    }

    /** Whether a waiting task of this class could start now, given enough free capacity. */
    boolean isPlaceable() {
        return waiting > 0 && (gate == null || !gate.isWaiting());
    }

    /** Whether a task of this class fits on this node, regardless of quotas and policies. */
    boolean fits(Node node) {
        if (key.node() != null && !key.node().equals(node.name())) {
            return false;
        }
        for (Map.Entry<String, String> label : key.labels().entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return false;
            }
        }
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > node.free(type)) {
                return false;
            }
        }
        return true;
    }

    /** Whether this class fits on every node where the other one fits. */
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
