package dev.sluice.core.explain;

import dev.sluice.core.schedule.GangCapacity;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks in steps whether any node, ready or not, is large enough for a task and meets its constraints; caches the
 * results.
 */
final class Feasibility {

    private final Partition partition;
    private final List<Node> nodes;
    private final Map<PlacementRequirements, Boolean> known = new HashMap<>();

    // the requirements that are being checked
    private @Nullable PlacementRequirements current;
    private int next;

    // the gang that was asked about last
    private @Nullable GangProgress gang;
    private @Nullable GangCapacity capacity;
    private @Nullable Boolean mayStart;

    Feasibility(Partition partition, List<Node> nodes) {
        this.partition = partition;
        this.nodes = nodes;
    }

    /**
     * Whether some node could run a task of this group within the maxima of its queues, or its gang that waits could
     * start; null if the budget is exhausted: call again for the same group.
     */
    @Nullable Boolean isFeasible(TaskGroup group, StepBudget budget) {
        GangProgress waiting = group.application().gang();
        if (waiting != null && waiting.isWaiting()) {
            return mayStart(waiting, budget);
        }
        if (group.application().queue().firstQueueAboveMax(group.demand()) != null) {
            return false;
        }
        PlacementRequirements requirements = PlacementRequirements.of(group);
        Boolean answer = known.get(requirements);
        if (answer == null) {
            answer = find(requirements, group, budget);
            if (answer != null) {
                known.put(requirements, answer);
                current = null;
            }
        }
        return answer;
    }

    private @Nullable Boolean mayStart(GangProgress waiting, StepBudget budget) {
        GangCapacity begun = capacity;
        if (gang != waiting || begun == null) {
            gang = waiting;
            begun = new GangCapacity(partition, waiting, nodes);
            capacity = begun;
            mayStart = null;
        }
        Boolean known = mayStart == null ? begun.step(budget::take) : mayStart;
        mayStart = known;
        return known;
    }

    private @Nullable Boolean find(PlacementRequirements requirements, TaskGroup group, StepBudget budget) {
        String required = group.kind().requiredNode();
        if (required != null) {
            Node node = partition.node(required);
            return node != null && isFeasibleOn(node, group);
        }
        if (!requirements.equals(current)) {
            current = requirements;
            next = 0;
        }
        while (next < nodes.size()) {
            if (!budget.take()) {
                return null;
            }
            Node node = nodes.get(next++);
            if (!node.isRemoved() && isFeasibleOn(node, group)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFeasibleOn(Node node, TaskGroup group) {
        return NodeExclusion.of(group.kind().constraints(), node) == null && node.isLargeEnoughFor(group.demand());
    }
}
