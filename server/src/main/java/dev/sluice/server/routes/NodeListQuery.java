package dev.sluice.server.routes;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Views of the nodes that existed when the query started and have not been removed since, in registration order.
 *
 * @param <T> the type of views
 */
final class NodeListQuery<T> implements IncrementalQuery<List<T>> {

    /**
     * Creates the view of a node.
     *
     * @param <T> the type of views
     */
    interface Viewer<T> {

        /**
         * Returns the view.
         *
         * @param budget to be reduced by what the view costs beyond one unit
         */
        T view(Partition partition, Node node, StepBudget budget);
    }

    private final String partitionName;
    private final Predicate<Node> filter;
    private final Viewer<T> viewer;
    private final List<T> views = new ArrayList<>();
    private @Nullable Partition partition;
    private List<Node> nodes = List.of();
    private int next;

    /** Creates a query of the nodes of this partition that pass this filter. */
    NodeListQuery(String partitionName, Predicate<Node> filter, Viewer<T> viewer) {
        this.partitionName = partitionName;
        this.filter = filter;
        this.viewer = viewer;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition current = Lookup.requireSame(context.state(), partitionName, partition);
        if (partition == null) {
            partition = current;
            nodes = new ArrayList<>(current.nodes());
        }
        while (next < nodes.size()) {
            if (!budget.take()) {
                return false;
            }
            Node node = nodes.get(next++);
            if (!node.isRemoved() && filter.test(node)) {
                views.add(viewer.view(current, node, budget));
            }
        }
        return true;
    }

    @Override
    public List<T> answer() {
        return views;
    }
}
