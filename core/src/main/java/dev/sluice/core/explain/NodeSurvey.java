package dev.sluice.core.explain;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.TaskGroup;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks nodes one by one and counts the reasons why a task does not fit. */
final class NodeSurvey {

    private final Partition partition;
    private final long[] demand;
    private final Constraints constraints;
    private final List<Node> nodes;
    private final TaskSurvey tasks;
    private final SortedMap<NodeState, Integer> notReady = new TreeMap<>();
    private final SortedMap<NodeExclusion, Integer> excluded = new TreeMap<>();
    private final int[] lacking;
    private int next;
    private int ready;
    private int largeEnough;
    private @Nullable Reservation reserved;
    private String reservedNode = ""; // that has room: a gang has reserved others, too

    NodeSurvey(Partition partition, TaskGroup group, List<Node> nodes, TaskSurvey tasks) {
        this.tasks = tasks;
        TaskKind kind = group.kind();
        this.partition = partition;
        this.demand = group.demand();
        this.constraints = kind.constraints();
        this.nodes = nodes;
        this.lacking = new int[demand.length];
    }

    /**
     * Checks further nodes; returns null if the budget is exhausted. Skips nodes that have been removed in the
     * meantime.
     */
    @Nullable WaitReason step(StepBudget budget) {
        while (next < nodes.size()) {
            if (!budget.take()) {
                return null;
            }
            Node node = nodes.get(next++);
            if (!node.isRemoved() && canTake(node)) {
                return new WaitReason.NextCycle();
            }
        }
        if (reserved != null) {
            return new WaitReason.ReservedFor(
                    reservedNode,
                    reserved.task().application(),
                    reserved.task().id(),
                    reserved.start(),
                    partition.isFirm(reserved));
        }
        return new WaitReason.NoNodeFits(ready, notReady, excluded, lacking(), largeEnough);
    }

    private boolean canTake(Node node) {
        if (!node.isReady()) {
            notReady.merge(node.state(), 1, Integer::sum);
            return false;
        }
        ready++;
        NodeExclusion exclusion = NodeExclusion.of(constraints, node);
        boolean neverRuns = exclusion != null;
        exclusion = neverRuns ? exclusion : tasks.exclusion(node);
        if (exclusion == null && node.fits(demand)) {
            Reservation reservation = partition.reservations().onNode(node.name());
            if (reserved == null && reservation != null) {
                reserved = reservation;
                reservedNode = node.name();
            }
            return reservation == null;
        }
        largeEnough += !neverRuns && node.isLargeEnoughFor(demand) ? 1 : 0;
        if (exclusion != null) {
            boolean counts = excluded.size() < NodeExclusion.KINDS_MAX || excluded.containsKey(exclusion);
            excluded.merge(counts ? exclusion : exclusion.withoutSubject(), 1, Integer::sum);
            return false;
        }
        for (int type = 0; type < demand.length; type++) {
            lacking[type] += demand[type] > node.free(type) ? 1 : 0;
        }
        return false;
    }

    private SortedMap<String, Integer> lacking() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (int type = 0; type < lacking.length; type++) {
            if (lacking[type] > 0) {
                counts.put(partition.types().name(type), lacking[type]);
            }
        }
        return counts;
    }
}
