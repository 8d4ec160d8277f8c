package dev.sluice.core.schedule;

import dev.sluice.core.state.Changes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which shapes of tasks the nodes of a partition have room for, and where. In a cycle room only grows less, but where tasks are preempted. */
final class NodeCapacityIndex {

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses;
    private NodeOrder order;
    private long cycle;

    /** The shapes as they were when a task was passed over for the first time in this cycle; those before the index fit nowhere. */
    private List<EquivalenceClass> triedClasses = List.of();

    private int nextToTry;

    /** A node that had room for the first shape that may fit. */
    private @Nullable Node fittingNode;

    /** The room of the nodes as they are now. */
    NodeCapacityIndex(Partition partition, EquivalenceClasses equivalenceClasses) {
        this.partition = partition;
        this.equivalenceClasses = equivalenceClasses;
        equivalenceClasses.takeLabelsChanged();
        this.order = new NodeOrder(partition, equivalenceClasses);
    }

    /** Takes note that a cycle begins: what found no room in the last one may find some now. */
    void beginCycle() {
        cycle++;
        nextToTry = -1;
    }

    /** Takes note that preempting tasks may have left room on this node: what found none before may find some there now. */
    void preemptedOn(Node node) {
        for (EquivalenceClass equivalenceClass : equivalenceClasses.all()) {
            boolean mayRun = equivalenceClass.requiredNode() == null
                    || equivalenceClass.requiredNode().equals(node.name());
            if (equivalenceClass.cycleWithoutCapacity == cycle
                    && mayRun
                    && node.fits(equivalenceClass.demand)
                    && equivalenceClass.mayRunOn(node)) {
                equivalenceClass.cycleWithoutCapacity = -1;
            }
        }
        nextToTry = -1;
    }

    /** Takes note of what happened to nodes, and of labels that shapes require for the first time. */
    void sync(Changes changes) {
        boolean labelsChanged = equivalenceClasses.takeLabelsChanged();
        if (changes.nodesStale() || order.isOutdated()) {
            order = new NodeOrder(partition, equivalenceClasses);
            return;
        }
        if (labelsChanged) {
            order.relabel();
        }
        List<Node> nodes = changes.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            order.update(nodes.get(i));
        }
    }

    /** What is free on all ready nodes, as a vector with a number for every type; slots are idle workers. */
    long[] free() {
        return order.totalFree();
    }

    /** The first node in order with room for a task of this shape, or null. */
    @Nullable Node first(EquivalenceClass equivalenceClass) {
        if (equivalenceClass.cycleWithoutCapacity == cycle) {
            return null;
        }
        Node node = order.firstFit(equivalenceClass);
        if (node == null) {
            equivalenceClass.cycleWithoutCapacity = cycle;
        }
        return node;
    }

    /** Whether there is room for any shape in use; each is found to have none at most once in a cycle. */
    boolean anythingFits() {
        if (nextToTry < 0) {
            triedClasses = equivalenceClasses.all();
            nextToTry = 0;
            fittingNode = null;
        }
        while (nextToTry < triedClasses.size()) {
            EquivalenceClass equivalenceClass = triedClasses.get(nextToTry);
            if (equivalenceClass.uses > 0) {
                fittingNode = fittingNode != null && fittingNode.fits(equivalenceClass.demand) ? fittingNode : first(equivalenceClass);
                if (fittingNode != null) {
                    return true;
                }
            }
            fittingNode = null;
            nextToTry++;
        }
        return false;
    }
}
