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

/** Finds out why a task fits on none of these nodes, node by node. */
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

    /** Goes on with the nodes; returns null if there are no more looks. Nodes that have been removed meanwhile do not count. */
    @Nullable WaitReason look(StepBudget looks) {
        while (next < nodes.size()) {
            if (!looks.take()) {
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

    /** Whether a node has these labels. */
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
