package dev.sluice.simulator.measure;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks that fit on the same nodes, and the number of them that wait. */
final class WaitingClass {

    /** The properties that decide on which nodes a task fits. */
    record FitKey(
            Resources resources,
            Constraints constraints,
            @Nullable String node) {

        static FitKey of(TaskKind kind) {
            return new FitKey(kind.resources(), kind.constraints(), kind.requiredNode());
        }
    }

    private final FitKey key;
    private final long[] demand; // by resource type of the partition
    private final long[] amounts; // by resource type of the measurements
    private final SizeTally size;
    private final @Nullable TaskGroup gate;
    long waiting;

    /** The number of live task groups in this class. */
    int groups;

    /**
     * Creates a class without waiting tasks.
     *
     * @param demand the resources of each task, slots included, by resource type of the partition
     * @param amounts the same by resource type of the measurements
     * @param size the tally of all tasks of this size
     * @param gate a group that is not schedulable before the tasks it depends on have ended; or null
     */
    WaitingClass(FitKey key, long[] demand, long[] amounts, SizeTally size, @Nullable TaskGroup gate) {
        this.key = key;
        this.demand = demand;
        this.amounts = amounts;
        this.size = size;
        this.gate = gate;
    }

    FitKey key() {
        return key;
    }

    /** Returns the resources of each task, slots included, by resource type of the measurements. */
    long[] amounts() {
        return amounts;
    }

    SizeTally size() {
        return size;
    }

    /** Returns the group that is not schedulable before others have ended, if the class consists of one; or null. */
    @Nullable TaskGroup gate() {
        return gate;
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
        if (!key.constraints().permits(node.name(), node.labels(), node.taints())) {
            return false;
        }
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > node.free(type)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the first constraints permit every node that the others permit; may miss it if they differ much. */
    private static boolean permitsWherever(Constraints constraints, Constraints others) {
        List<NodeSelectorTerm> required = constraints.nodeAffinity().required();
        return others.nodeSelector()
                        .entrySet()
                        .containsAll(constraints.nodeSelector().entrySet())
                && constraints.tolerations().equals(others.tolerations())
                && (required.isEmpty() || required.equals(others.nodeAffinity().required()));
    }

    /** Whether this class fits on every node where the other one fits. */
    boolean fitsWherever(WaitingClass other) {
        if ((key.node() != null && !key.node().equals(other.key.node()))
                || !permitsWherever(key.constraints(), other.key.constraints())) {
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
