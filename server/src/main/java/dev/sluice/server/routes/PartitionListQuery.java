package dev.sluice.server.routes;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Views of the partitions that existed when the query started and still exist. */
final class PartitionListQuery implements IncrementalQuery<List<PartitionView>> {

    private final List<PartitionView> views = new ArrayList<>();
    private @Nullable List<Partition> partitions;
    private int next;

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        List<Partition> all =
                partitions == null ? new ArrayList<>(context.state().partitions()) : partitions;
        partitions = all;
        while (next < all.size()) {
            if (!budget.take()) {
                return false;
            }
            Partition partition = all.get(next++);
            if (context.state().partition(partition.name()) == partition) {
                views.add(Views.partition(partition));
            }
        }
        return true;
    }

    @Override
    public List<PartitionView> answer() {
        return views;
    }
}
