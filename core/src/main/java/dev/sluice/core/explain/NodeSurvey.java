package dev.sluice.core.explain;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks nodes one by one and counts the reasons why a task does not fit. */
final class NodeSurvey {

    private final Partition partition;
    private final long[] demand;
    private final Map<String, String> requiredLabels;
    private final List<Node> nodes;
    private final SortedMap<NodeState, Integer> notReady = new TreeMap<>();
    private final int[] lacking;
    private int next;
    private int ready;
    private int wrongLabels;
    private int largeEnough;

    NodeSurvey(Partition partition, TaskGroup group, List<Node> nodes) {
        TaskKind kind = group.kind();
        this.partition = partition;
        this.demand = group.demand();
        this.requiredLabels = kind.requiredLabels();
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
        return new WaitReason.NoNodeFits(ready, notReady, wrongLabels, lacking(), largeEnough);
    }

    private boolean canTake(Node node) {
        if (!node.isReady()) {
            notReady.merge(node.state(), 1, Integer::sum);
            return false;
        }
        ready++;
        if (!hasLabels(node, requiredLabels)) {
            wrongLabels++;
            return false;
        }
        if (node.fits(demand)) {
            return true;
        }
        largeEnough += node.isLargeEnoughFor(demand) ? 1 : 0;
        for (int type = 0; type < demand.length; type++) {
            lacking[type] += demand[type] > node.free(type) ? 1 : 0;
        }
        return false;
    }

    static boolean hasLabels(Node node, Map<String, String> requiredLabels) {
        for (Map.Entry<String, String> label : requiredLabels.entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return false;
            }
        }
        return true;
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
