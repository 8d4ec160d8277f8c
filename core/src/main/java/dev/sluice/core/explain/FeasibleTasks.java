package dev.sluice.core.explain;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds out node by node whether some node, ready or not, could ever hold a task, and remembers it. */
final class FeasibleTasks {

    private final Partition partition;
    private final List<Node> nodes;
    private final Map<PlacementRequirements, Boolean> known = new HashMap<>();

    // the tasks that are being looked at
    private @Nullable PlacementRequirements current;
    private int next;

    FeasibleTasks(Partition partition, List<Node> nodes) {
        this.partition = partition;
        this.nodes = nodes;
    }

    /** Whether some node could hold a task of this group; null if there are too few looks: ask again for the same group. */
    @Nullable Boolean holds(TaskGroup group, StepBudget looks) {
        PlacementRequirements fit = PlacementRequirements.of(group);
        Boolean answer = known.get(fit);
        if (answer == null) {
            answer = find(fit, group, looks);
            if (answer != null) {
                known.put(fit, answer);
                current = null;
            }
        }
        return answer;
    }

    private @Nullable Boolean find(PlacementRequirements fit, TaskGroup group, StepBudget looks) {
        String required = group.kind().requiredNode();
        if (required != null) {
            Node node = partition.node(required);
            return node != null && isFeasible(node, group);
        }
        if (!fit.equals(current)) {
            current = fit;
            next = 0;
        }
        while (next < nodes.size()) {
            if (!looks.take()) {
                return null;
            }
            Node node = nodes.get(next++);
            if (!node.isRemoved() && isFeasible(node, group)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFeasible(Node node, TaskGroup group) {
        return NodeSurvey.hasLabels(node, group.kind().requiredLabels()) && node.isLargeEnoughFor(group.demand());
    }
}
