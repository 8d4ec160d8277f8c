package dev.sluice.server.metrics;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.Looks;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.Question;
import dev.sluice.server.metrics.ClusterFigures.Family;
import dev.sluice.server.metrics.ClusterFigures.Figure;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is in the cluster, partition by partition: its nodes with their tasks, then its applications, then its queues. A partition that
 * is removed meanwhile is left out.
 */
final class ClusterCount implements Question<List<Figure>> {

    private final List<Figure> figures = new ArrayList<>();
    private @Nullable List<Partition> partitions;
    private int nextPartition;
    private @Nullable PartitionCount count;

    @Override
    public boolean look(Desk desk, Looks looks) {
        List<Partition> all = partitions == null ? new ArrayList<>(desk.state().partitions()) : partitions;
        partitions = all;
        while (nextPartition < all.size()) {
            Partition partition = all.get(nextPartition);
            if (desk.state().partition(partition.name()) == partition) {
                PartitionCount current = count == null ? new PartitionCount(partition) : count;
                count = current;
                if (!current.look(looks)) {
                    return false;
                }
                figures.addAll(current.figures);
            }
            count = null;
            nextPartition++;
        }
        return true;
    }

    @Override
    public List<Figure> answer() {
        return figures;
    }

    /** What is in one partition. */
    private static final class PartitionCount {

        private final Partition partition;
        private final String name;
        private final List<Figure> figures = new ArrayList<>();
        private final List<Node> nodes;
        private final List<Queue> queues;
        private final Map<NodeState, Integer> nodeStates = new EnumMap<>(NodeState.class);
        private final Map<TaskState, Integer> taskStates = new EnumMap<>(TaskState.class);
        private final Map<ApplicationState, Integer> applicationStates = new EnumMap<>(ApplicationState.class);
        private int nextNode;
        private int nextTask; // of the node
        private @Nullable Application position;
        private boolean applicationsDone;
        private int nextQueue;

        PartitionCount(Partition partition) {
            this.partition = partition;
            this.name = partition.name();
            this.nodes = new ArrayList<>(partition.nodes());
            this.queues = partition.queues().all();
        }

        boolean look(Looks looks) {
            if (!countNodes(looks) || !countApplications(looks) || !countQueues(looks)) {
                return false;
            }
            for (NodeState each : NodeState.values()) {
                figures.add(new Figure(Family.NODES, name, each.word(), nodeStates.getOrDefault(each, 0)));
            }
            for (TaskState each : TaskState.values()) {
                if (each.stands()) {
                    figures.add(new Figure(Family.TASKS, name, each.word(), taskStates.getOrDefault(each, 0)));
                }
            }
            for (ApplicationState each : ApplicationState.values()) {
                figures.add(
                        new Figure(Family.APPLICATIONS, name, each.word(), applicationStates.getOrDefault(each, 0)));
            }
            Views.amounts(partition, partition.total())
                    .forEach((type, amount) -> figures.add(new Figure(Family.CAPACITY, name, type, amount)));
            Views.amounts(partition, partition.queues().root().allocated())
                    .forEach((type, amount) -> figures.add(new Figure(Family.ALLOCATED, name, type, amount)));
            return true;
        }

        private boolean countNodes(Looks looks) {
            for (; nextNode < nodes.size(); nextNode++, nextTask = 0) {
                if (!looks.take()) {
                    return false;
                }
                Node node = nodes.get(nextNode);
                if (node.isRemoved()) {
                    continue;
                }
                List<Task> tasks = node.tasks();
                for (; nextTask < tasks.size(); nextTask++) {
                    if (!looks.take()) {
                        return false;
                    }
                    taskStates.merge(tasks.get(nextTask).state(), 1, Integer::sum);
                }
                nodeStates.merge(node.state(), 1, Integer::sum);
            }
            return true;
        }

        private boolean countApplications(Looks looks) {
            while (!applicationsDone) {
                if (!looks.take()) {
                    return false;
                }
                position = partition.nextApplication(position);
                if (position == null) {
                    applicationsDone = true;
                } else {
                    applicationStates.merge(position.state(), 1, Integer::sum);
                }
            }
            return true;
        }

        private boolean countQueues(Looks looks) {
            while (nextQueue < queues.size()) {
                if (!looks.take()) {
                    return false;
                }
                Queue queue = queues.get(nextQueue++);
                figures.add(new Figure(Family.QUEUE_PENDING, name, queue.path(), queue.pendingTasks()));
                figures.add(new Figure(Family.QUEUE_PLACED, name, queue.path(), queue.placedTasks()));
            }
            return true;
        }
    }
}
