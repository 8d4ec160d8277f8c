package dev.sluice.server.metrics;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.metrics.ClusterGauges.GaugeFamily;
import dev.sluice.server.metrics.ClusterGauges.GaugeValue;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts nodes and their tasks, applications and queues, partition by partition. Skips partitions removed meanwhile.
 */
final class ClusterGaugeQuery implements IncrementalQuery<List<GaugeValue>> {

    private final List<GaugeValue> gaugeValues = new ArrayList<>();
    private @Nullable List<Partition> partitions;
    private int nextPartition;
    private @Nullable PartitionCount count;

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        List<Partition> all =
                partitions == null ? new ArrayList<>(context.state().partitions()) : partitions;
        partitions = all;
        while (nextPartition < all.size()) {
            Partition partition = all.get(nextPartition);
            if (context.state().partition(partition.name()) == partition) {
                PartitionCount current = count == null ? new PartitionCount(partition) : count;
                count = current;
                if (!current.step(budget)) {
                    return false;
                }
                gaugeValues.addAll(current.gaugeValues);
            }
            count = null;
            nextPartition++;
        }
        return true;
    }

    @Override
    public List<GaugeValue> answer() {
        return gaugeValues;
    }

    /** The counts of one partition. */
    private static final class PartitionCount {

        private final Partition partition;
        private final String name;
        private final List<GaugeValue> gaugeValues = new ArrayList<>();
        private final List<Node> nodes;
        private final List<Queue> queues;
        private final Map<NodeState, Integer> nodeStates = new EnumMap<>(NodeState.class);
        private final Map<TaskState, Integer> taskStates = new EnumMap<>(TaskState.class);
        private final Map<ApplicationState, Integer> applicationStates = new EnumMap<>(ApplicationState.class);
        private int nextNode;
        private int nextTask; // index in the tasks of the current node
        private @Nullable Application position;
        private boolean applicationsDone;
        private int nextQueue;

        PartitionCount(Partition partition) {
            this.partition = partition;
            this.name = partition.name();
            this.nodes = new ArrayList<>(partition.nodes());
            this.queues = partition.queues().all();
        }

        boolean step(StepBudget budget) {
            if (!countNodes(budget) || !countApplications(budget) || !countQueues(budget)) {
                return false;
            }
            for (NodeState each : NodeState.values()) {
                gaugeValues.add(
                        new GaugeValue(GaugeFamily.NODES, name, each.wireName(), nodeStates.getOrDefault(each, 0)));
            }
            for (TaskState each : TaskState.values()) {
                if (each.isBound()) {
                    gaugeValues.add(
                            new GaugeValue(GaugeFamily.TASKS, name, each.wireName(), taskStates.getOrDefault(each, 0)));
                }
            }
            for (ApplicationState each : ApplicationState.values()) {
                gaugeValues.add(new GaugeValue(
                        GaugeFamily.APPLICATIONS, name, each.wireName(), applicationStates.getOrDefault(each, 0)));
            }
            Views.amounts(partition, partition::total)
                    .forEach((type, amount) ->
                            gaugeValues.add(new GaugeValue(GaugeFamily.CAPACITY, name, type, amount)));
            Views.amounts(partition, partition.queues().root()::allocated)
                    .forEach((type, amount) ->
                            gaugeValues.add(new GaugeValue(GaugeFamily.ALLOCATED, name, type, amount)));
            partition
                    .reservations()
                    .all()
                    .forEach(each -> gaugeValues.add(new GaugeValue(
                            GaugeFamily.RESERVATIONS,
                            name,
                            each.queue(),
                            each.capacity().size())));
            return true;
        }

        private boolean countNodes(StepBudget budget) {
            for (; nextNode < nodes.size(); nextNode++, nextTask = 0) {
                if (!budget.take()) {
                    return false;
                }
                Node node = nodes.get(nextNode);
                if (node.isRemoved()) {
                    continue;
                }
                List<Task> tasks = node.tasks();
                for (; nextTask < tasks.size(); nextTask++) {
                    if (!budget.take()) {
                        return false;
                    }
                    taskStates.merge(tasks.get(nextTask).state(), 1, Integer::sum);
                }
                nodeStates.merge(node.state(), 1, Integer::sum);
            }
            return true;
        }

        private boolean countApplications(StepBudget budget) {
            while (!applicationsDone) {
                if (!budget.take()) {
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

        private boolean countQueues(StepBudget budget) {
            while (nextQueue < queues.size()) {
                if (!budget.take()) {
                    return false;
                }
                Queue queue = queues.get(nextQueue++);
                gaugeValues.add(new GaugeValue(GaugeFamily.QUEUE_PENDING, name, queue.path(), queue.pendingTasks()));
                gaugeValues.add(
                        new GaugeValue(GaugeFamily.QUEUE_ALLOCATED, name, queue.path(), queue.allocatedTasks()));
            }
            return true;
        }
    }
}
