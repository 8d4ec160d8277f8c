package dev.sluice.server.usage;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.view.QueueViews;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the queues of all partitions that existed when the query started and still exist, by partition. */
final class QueueDemand implements IncrementalQuery<Map<String, List<QueueView>>> {

    private final Map<String, List<QueueView>> views = new LinkedHashMap<>();
    private @Nullable Deque<Partition> partitions;
    private Deque<Queue> queues = new ArrayDeque<>();

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Deque<Partition> left = partitions;
        if (left == null) {
            left = new ArrayDeque<>(context.state().partitions());
            partitions = left;
        }
        while (!left.isEmpty()) {
            Partition partition = left.element();
            if (context.state().partition(partition.name()) != partition) {
                left.remove();
                queues.clear();
                views.remove(partition.name());
                continue;
            }
            if (views.putIfAbsent(partition.name(), new ArrayList<>()) == null) {
                queues = new ArrayDeque<>(partition.queues().all());
            }
            while (!queues.isEmpty()) {
                if (!budget.take()) {
                    return false;
                }
                Queue queue = queues.remove();
                if (partition.queues().find(queue.path()) == queue) {
                    views.get(partition.name())
                            .add(new QueueViews(context.scheduler(), partition, context.now()).of(queue));
                }
            }
            left.remove();
        }
        return true;
    }

    @Override
    public Map<String, List<QueueView>> answer() {
        return views;
    }
}
