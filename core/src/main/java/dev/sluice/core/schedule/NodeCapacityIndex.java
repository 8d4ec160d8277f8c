package dev.sluice.core.schedule;

import dev.sluice.core.state.Changes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capacity index of a partition: which equivalence classes fit on its nodes, and where.
 *
 * <p>Within a cycle free capacity only shrinks, except where tasks are preempted. So a class that does not fit is not
 * searched again in the same cycle unless a preemption makes it fit.
 */
final class NodeCapacityIndex {

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses;
    private NodeOrder order;
    private long cycle;

    /**
     * The classes in use when {@link #anythingFits} was first called in this cycle. Those before {@link #nextToTry} fit
     * on no node.
     */
    private List<EquivalenceClass> triedClasses = List.of();

    private int nextToTry;

    /** A node that fitted the class at {@link #nextToTry} when last checked. */
    private @Nullable Node fittingNode;

    NodeCapacityIndex(Partition partition, EquivalenceClasses equivalenceClasses) {
        this.partition = partition;
        this.equivalenceClasses = equivalenceClasses;
        equivalenceClasses.takeLabelsChanged();
        this.order = new NodeOrder(partition, equivalenceClasses);
    }

    /** Begins a cycle: classes that did not fit in the last cycle are searched again. */
    void beginCycle() {
        cycle++;
        nextToTry = -1;
    }

    /**
     * Called when a preemption may have left free capacity on a node: classes that fit there now are searched again.
     */
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

    /** Updates the index after changes of nodes, and after classes required new labels. */
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

    /** Returns the free capacity of all ready nodes together, as a vector; its slots are the idle workers. */
    long[] free() {
        return order.totalFree();
    }

    /** Returns the first node in order that fits a task of this class, or null. */
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

    /** Returns whether any class in use fits on any node. Each class is found not to fit at most once in a cycle. */
    boolean anythingFits() {
        if (nextToTry < 0) {
            triedClasses = equivalenceClasses.all();
            nextToTry = 0;
            fittingNode = null;
        }
        while (nextToTry < triedClasses.size()) {
            EquivalenceClass equivalenceClass = triedClasses.get(nextToTry);
            if (equivalenceClass.uses > 0) {
                fittingNode = fittingNode != null && fittingNode.fits(equivalenceClass.demand)
                        ? fittingNode
                        : first(equivalenceClass);
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
