package dev.sluice.server.routes;

import dev.sluice.core.explain.Looks;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.Question;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** The nodes that were there when it began and have not been removed, in the order of registration. */
final class NodeListing implements Question<List<NodeView>> {

    private final String partitionName;
    private final @Nullable String state;
    private final BiPredicate<String, String> own;
    private final List<NodeView> views = new ArrayList<>();
    private @Nullable Partition partition;
    private List<Node> nodes = List.of();
    private int next;

    /**
     * Those of this partition.
     *
     * @param state only those in this state
     * @param own tells of a partition and the name of a node whether this server runs the tasks there
     */
    NodeListing(String partitionName, @Nullable String state, BiPredicate<String, String> own) {
        this.partitionName = partitionName;
        this.state = state;
        this.own = own;
    }

    @Override
    public boolean look(Desk desk, Looks looks) {
        Partition current = Lookup.same(desk.state(), partitionName, partition);
        if (partition == null) {
            partition = current;
            nodes = new ArrayList<>(current.nodes());
        }
        while (next < nodes.size()) {
            if (!looks.take()) {
                return false;
            }
            Node node = nodes.get(next++);
            if (!node.isRemoved() && (state == null || node.state().word().equalsIgnoreCase(state))) {
                views.add(Views.node(current, node, own.test(partitionName, node.name())));
            }
        }
        return true;
    }

    @Override
    public List<NodeView> answer() {
        return views;
    }
}
