package dev.sluice.core.schedule;

import dev.sluice.core.state.Changes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which shapes of tasks the nodes of a partition have room for, and where. In a cycle room only grows less, but where tasks are preempted. */
final class NodeRoom {

    private final Partition partition;
    private final Shapes shapes;
    private NodeOrder order;
    private long cycle;

    /** The shapes as they were when a task was passed over for the first time in this cycle; those before the index fit nowhere. */
    private List<Shape> triedShapes = List.of();

    private int firstThatMayFit;

    /** A node that had room for the first shape that may fit. */
    private @Nullable Node lastFit;

    /** The room of the nodes as they are now. */
    NodeRoom(Partition partition, Shapes shapes) {
        this.partition = partition;
        this.shapes = shapes;
        shapes.takeLabelsChanged();
        this.order = new NodeOrder(partition, shapes);
    }

    /** Takes note that a cycle begins: what found no room in the last one may find some now. */
    void beginCycle() {
        cycle++;
        firstThatMayFit = -1;
    }

    /** Takes note that preempting tasks may have left room on this node: what found none before may find some there now. */
    void preemptedOn(Node node) {
        for (Shape shape : shapes.all()) {
            boolean mayRun =
                    shape.requiredNode() == null || shape.requiredNode().equals(node.name());
            if (shape.cycleWithoutRoom == cycle && mayRun && node.hasRoomFor(shape.demand) && shape.mayRunOn(node)) {
                shape.cycleWithoutRoom = -1;
            }
        }
        firstThatMayFit = -1;
    }

    /** Takes note of what happened to nodes, and of labels that shapes require for the first time. */
    void sync(Changes changes) {
        boolean labelsChanged = shapes.takeLabelsChanged();
        if (changes.nodesStale() || order.isOutdated()) {
            order = new NodeOrder(partition, shapes);
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
        return order.freeInAll();
    }

    /** The first node in order with room for a task of this shape, or null. */
    @Nullable Node first(Shape shape) {
        if (shape.cycleWithoutRoom == cycle) {
            return null;
        }
        Node node = order.firstWithRoom(shape);
        if (node == null) {
            shape.cycleWithoutRoom = cycle;
        }
        return node;
    }

    /** Whether there is room for any shape in use; each is found to have none at most once in a cycle. */
    boolean anythingFits() {
        if (firstThatMayFit < 0) {
            triedShapes = shapes.all();
            firstThatMayFit = 0;
            lastFit = null;
        }
        while (firstThatMayFit < triedShapes.size()) {
            Shape shape = triedShapes.get(firstThatMayFit);
            if (shape.uses > 0) {
                lastFit = lastFit != null && lastFit.hasRoomFor(shape.demand) ? lastFit : first(shape);
                if (lastFit != null) {
                    return true;
                }
            }
            lastFit = null;
            firstThatMayFit++;
        }
        return false;
    }
}
