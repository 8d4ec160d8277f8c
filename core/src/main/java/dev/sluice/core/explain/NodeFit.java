package dev.sluice.core.explain;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.List;

/**
 * Pending tasks of which at least one would fit on a node now, by its free resources and the constraints on nodes. They
 * may wait for other reasons, such as a maximum, a limit, a reservation or constraints between tasks.
 *
 * @param group the pending tasks
 * @param tasks how many of them fit beside each other, if no other task takes their place
 */
public record NodeFit(TaskGroup group, int tasks) {

    /** Maximum number of groups of pending tasks that one answer considers. */
    public static final int GROUPS_MAX = 1_000;

    /**
     * Returns what fits on a node, in submission order; nothing unless it is ready.
     *
     * @param max the maximum number of answers
     */
    public static List<NodeFit> on(Node node, Partition partition, int max) {
        List<NodeFit> fits = new ArrayList<>();
        if (!node.isReady()) {
            return fits;
        }
        int considered = 0;
        for (Application application : partition.applications()) {
            if (application.unallocated() == 0 || application.isHeld()) {
                continue;
            }
            for (TaskGroup group : application.groups()) {
                if (group.pending() == 0) {
                    continue;
                }
                if (considered++ == GROUPS_MAX || fits.size() == max) {
                    return fits;
                }
                int tasks = tasks(node, group);
                if (tasks > 0) {
                    fits.add(new NodeFit(group, tasks));
                }
            }
        }
        return fits;
    }

    private static int tasks(Node node, TaskGroup group) {
        String required = group.kind().requiredNode();
        boolean permitted = (required == null || required.equals(node.name()))
                && NodeExclusion.of(group.kind().constraints(), node) == null;
        return permitted ? (int) Math.min(group.pending(), node.tasksMax(group.demand())) : 0;
    }
}
