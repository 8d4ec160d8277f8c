package dev.sluice.server.routes;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The nodes that existed when the query started and have not been removed since, in registration order. */
final class NodeListQuery implements IncrementalQuery<List<NodeView>> {

    private final String partitionName;
    private final @Nullable String state;
    private final Predicate<String> isLocal;
    private final List<NodeView> views = new ArrayList<>();
    private @Nullable Partition partition;
    private List<Node> nodes = List.of();
    private int next;

    /**
     * Creates a query of this partition.
     *
     * @param state only nodes in this state, or null for all
     * @param isLocal returns whether this server runs the tasks of a node, given its name
     */
    NodeListQuery(String partitionName, @Nullable String state, Predicate<String> isLocal) {
        this.partitionName = partitionName;
        this.state = state;
        this.isLocal = isLocal;
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
            if (!node.isRemoved() && (state == null || node.state().wireName().equalsIgnoreCase(state))) {
                views.add(Views.node(current, node, isLocal.test(node.name())));
            }
        }
        return true;
    }

    @Override
    public List<NodeView> answer() {
        return views;
    }
}
