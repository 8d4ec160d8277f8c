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
 * The ready nodes of a partition in the order of its node sort policy, and the first of them that fits a task.
 *
 * <p>Nodes are ordered by (utilisation, name): the least utilised first under {@code fair}, the most utilised first
 * under {@code binpacking}. Utilisations are compared exactly. {@link #firstFit} returns the node that a linear scan
 * along that order would find. For speed the nodes are in a {@link CapacityTree}: a search or an update takes
 * logarithmic time, as long as the resource types that a task needs are free on the same nodes.
 */
final class NodeOrder {

    private static final int NONE = -1;

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses;
    private final int types;
    private final Node[] nodes; // by name; the index is the number in the tree
    private final int[] numberOfNode;
    private final long[] labels;
    private final long[] idleWorkers;
    private final long[] free;
    private final long[] totalFree;
    private final long[] capacity;
    private final Utilisation utilisation;
    private final PairedCapacity pairedCapacity;
    private final CapacityTree tree;

    /** A prepared search for one equivalence class in one node order. */
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

    /** Creates the order of the nodes that are ready now. */
    NodeOrder(Partition partition, EquivalenceClasses equivalenceClasses) {
        this.partition = partition;
        this.equivalenceClasses = equivalenceClasses;
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
        totalFree = new long[types];
        pairedCapacity = new PairedCapacity(partition, ready);
        PartitionConfiguration configuration = partition.configuration();
        utilisation = new Utilisation(partition, nodes, configuration.nodeSortPolicy() == NodeSortPolicy.FAIR ? 1 : -1);
        capacity = new long[pairedCapacity.width() + 1 + utilisation.width()];
        tree = new CapacityTree(size, pairedCapacity.width(), utilisation.width(), utilisation);
        for (int number = 0; number < size; number++) {
            numberOfNode[nodes[number].index()] = number;
            labels[number] = equivalenceClasses.maskOf(nodes[number]);
            put(number);
        }
    }

    /** Returns whether the partition has gained resource types, so that the order must be rebuilt. */
    boolean isOutdated() {
        return types != partition.types().size();
    }

    /** Moves a node to its position after its free capacity has changed. */
    void update(Node node) {
        int number = node.index() < numberOfNode.length ? numberOfNode[node.index()] : NONE;
        if (number != NONE && nodes[number] == node) {
            put(number);
        }
    }

    /** Computes the label masks of all nodes again, after a class required a label for the first time. */
    void relabel() {
        for (int number = 0; number < nodes.length; number++) {
            labels[number] = equivalenceClasses.maskOf(nodes[number]);
            put(number);
        }
    }

    /** Returns the first node in order with enough free capacity and the required labels for this class, or null. */
    @Nullable Node firstFit(EquivalenceClass equivalenceClass) {
        if (equivalenceClass.requiredNode() != null) {
            Node node = partition.node(equivalenceClass.requiredNode());
            boolean fits = node != null
                    && node.isReady()
                    && node.fits(equivalenceClass.demand)
                    && equivalenceClass.mayRunOn(node);
            return fits ? node : null;
        }
        Search search = searchFor(equivalenceClass);
        int number = tree.first(search.demand, equivalenceClass.labelMask, search.check);
        return number == CapacityTree.NONE ? null : nodes[number];
    }

    private Search searchFor(EquivalenceClass equivalenceClass) {
        Search search = equivalenceClass.search;
        if (search == null || search.order != this) {
            search = new Search(
                    this,
                    pairedCapacity.withPairs(equivalenceClass.demand),
                    number -> equivalenceClass.mayRunOn(nodes[number]));
            equivalenceClass.search = search;
        }
        return search;
    }

    /** Returns the free capacity of all these nodes together, by type; its slots are the idle workers. */
    long[] totalFree() {
        return totalFree.clone();
    }

    private void put(int number) {
        Node node = nodes[number];
        for (int type = 0; type < types; type++) {
            int at = number * types + type;
            capacity[type] = node.free(type);
            if (type != ResourceTypes.SLOTS_INDEX) {
                totalFree[type] += capacity[type] - free[at];
            }
            free[at] = capacity[type];
        }
        pairedCapacity.writePairs(capacity);
        capacity[pairedCapacity.width()] = labels[number];
        utilisation.writeAmounts(node, capacity, pairedCapacity.width() + 1);
        totalFree[ResourceTypes.SLOTS_INDEX] += node.idleWorkers() - idleWorkers[number];
        idleWorkers[number] = node.idleWorkers();
        tree.put(number, utilisation.key(number, capacity, pairedCapacity.width() + 1), capacity);
    }
}
