package dev.sluice.core.schedule;

import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The ready nodes of a partition in the order of its node sort policy, and the first of them that has room.
 *
 * <p>Nodes are ordered by (utilisation, name): the least utilised first under {@code fair}, the most utilised first under
 * {@code binpacking}; utilisations are compared exactly. {@link #firstWithRoom} gives what a walk along that order would give. For speed the nodes stand in a
 * {@link RoomTree}: finding and moving one take logarithmic time as long as the resource types that a task needs are free on the same
 * nodes.
 */
final class NodeOrder {

    private static final int NONE = -1;

    private final Partition partition;
    private final Shapes shapes;
    private final int types;
    private final Node[] nodes; // by name; the place in here is the number in the tree
    private final int[] numberOfNode;
    private final long[] labels;
    private final long[] idleWorkers;
    private final long[] free;
    private final long[] freeInAll;
    private final long[] room;
    private final Utilisation utilisation;
    private final PairedRoom pairs;
    private final RoomTree tree;

    /** What is looked for among the nodes of one order for one shape. */
    static final class Search {
        private final NodeOrder order;
        private final long[] demand;
        private final IntPredicate check;

        private Search(NodeOrder order, long[] demand, IntPredicate check) {
            this.order = order;
            this.demand = demand;
            this.check = check;
        }
    }

    /** The order of the nodes that are ready now. */
    NodeOrder(Partition partition, Shapes shapes) {
        this.partition = partition;
        this.shapes = shapes;
        this.types = partition.types().size();
        List<Node> ready = new ArrayList<>();
        for (Node node : partition.nodes()) {
            if (node.isReady()) {
                ready.add(node);
            }
        }
        ready.sort(Comparator.comparing(Node::name));
        int size = ready.size();
        nodes = ready.toArray(new Node[0]);
        numberOfNode = new int[partition.nodeIndexBound()];
        Arrays.fill(numberOfNode, NONE);
        labels = new long[size];
        idleWorkers = new long[size];
        free = new long[size * types];
        freeInAll = new long[types];
        pairs = new PairedRoom(partition, ready);
        PartitionConfiguration configuration = partition.configuration();
        utilisation = new Utilisation(partition, nodes, configuration.nodeSortPolicy() == NodeSortPolicy.FAIR ? 1 : -1);
        room = new long[pairs.width() + 1 + utilisation.width()];
        tree = new RoomTree(size, pairs.width(), utilisation.width(), utilisation);
        for (int number = 0; number < size; number++) {
            numberOfNode[nodes[number].index()] = number;
            labels[number] = shapes.maskOf(nodes[number]);
            put(number);
        }
    }

    /** Whether resource types were met that the order knows nothing of. */
    boolean isOutdated() {
        return types != partition.types().size();
    }

    /** Puts a node in its right place after its free room has changed. */
    void update(Node node) {
        int number = node.index() < numberOfNode.length ? numberOfNode[node.index()] : NONE;
        if (number != NONE && nodes[number] == node) {
            put(number);
        }
    }

    /** Reads the labels of all nodes again, after labels came into use that no shape had required before. */
    void relabel() {
        for (int number = 0; number < nodes.length; number++) {
            labels[number] = shapes.maskOf(nodes[number]);
            put(number);
        }
    }

    /** The first node in order that has room for this shape and the labels it requires, or null. */
    @Nullable Node firstWithRoom(Shape shape) {
        if (shape.requiredNode() != null) {
            Node node = partition.node(shape.requiredNode());
            boolean fits = node != null && node.isReady() && node.hasRoomFor(shape.demand) && shape.mayRunOn(node);
            return fits ? node : null;
        }
        Search search = searchFor(shape);
        int number = tree.first(search.demand, shape.labelMask, search.check);
        return number == RoomTree.NONE ? null : nodes[number];
    }

    private Search searchFor(Shape shape) {
        Search search = shape.search;
        if (search == null || search.order != this) {
            search = new Search(this, pairs.completed(shape.demand), number -> shape.mayRunOn(nodes[number]));
            shape.search = search;
        }
        return search;
    }

    /** What is free on all these nodes together, by type; slots are idle workers. */
    long[] freeInAll() {
        return freeInAll.clone();
    }

    private void put(int number) {
        Node node = nodes[number];
        for (int type = 0; type < types; type++) {
            int at = number * types + type;
            room[type] = node.free(type);
            if (type != ResourceTypes.SLOTS_INDEX) {
                freeInAll[type] += room[type] - free[at];
            }
            free[at] = room[type];
        }
        pairs.complete(room);
        room[pairs.width()] = labels[number];
        utilisation.writeAmounts(node, room, pairs.width() + 1);
        freeInAll[ResourceTypes.SLOTS_INDEX] += node.idleWorkers() - idleWorkers[number];
        idleWorkers[number] = node.idleWorkers();
        tree.put(number, utilisation.key(number, room, pairs.width() + 1), room);
    }
}
