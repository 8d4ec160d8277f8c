package dev.sluice.server.routes;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Views of the queues of a partition that existed when the query started and still exist, parents before children.
 *
 * @param <T> the type of views
 */
final class QueueListQuery<T> implements IncrementalQuery<List<T>> {

    /** Creates the view of a queue. */
    interface Viewer<T> {

        /** Returns the view, or null if the queue has none. */
        @Nullable T view(TransactionContext context, Partition partition, Queue queue);
    }

    private final String partitionName;
    private final Viewer<T> viewer;
    private final List<T> views = new ArrayList<>();
    private @Nullable Partition partition;
    private List<Queue> queues = List.of();
    private int next;

    QueueListQuery(String partitionName, Viewer<T> viewer) {
        this.partitionName = partitionName;
        this.viewer = viewer;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition current = Lookup.requireSame(context.state(), partitionName, partition);
        if (partition == null) {
            partition = current;
            queues = current.queues().all();
        }
        while (next < queues.size()) {
            if (!budget.take()) {
                return false;
            }
            Queue queue = queues.get(next++);
            T view = current.queues().find(queue.path()) == queue ? viewer.view(context, current, queue) : null;
            if (view != null) {
                views.add(view);
            }
        }
        return true;
    }

    @Override
    public List<T> answer() {
        return views;
    }
}
