package dev.sluice.core.schedule;

import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservations;
import dev.sluice.core.state.Vectors;
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
 * along that order would find, among the nodes of the highest rank that a task has with room for it. For speed the
 * nodes are in a {@link CapacityTree}: a search or an update takes logarithmic time, as long as the resource types
 * that a task needs are free on the same nodes. If nodes differ in rank, a search visits nodes with room until it finds
 * one of the highest rank that may still have room in this cycle; if that takes long, the nodes of that rank are put
 * into a {@link RankGroup}.
 */
final class NodeOrder {

    private static final int NONE = -1;

    /** The number of nodes that a search visits at less cost than keeping a {@link RankGroup} up to date. */
    private static final int VISITS_CHEAP = 64;

    /** The maximum number of groups: each has a bit. */
    private static final int GROUPS_MAX = Integer.SIZE;

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses;
    private final int types;
    private final Node[] nodes; // by name; the index is the number in the tree
    private final int[] numberOfNode;
    private final int[] indexOf; // of each node by number
    private final long[] masks;
    private final boolean avoided; // whether a node has a taint that only orders nodes
    private final long[] idleWorkers;

    /** Whether each node was reserved when last put. */
    private final boolean[] wasReserved;

    private final long[] free;
    private final long[] totalFree;
    private final long[] capacity;
    private final Utilisation utilisation;
    private final PairedCapacity pairedCapacity;
    private final CapacityTree tree;
    private long[] @Nullable [] held = {}; // what gangs that are being tried take from each node
    private final List<RankGroup> groups = new ArrayList<>(); // the oldest first
    private final int[] groupsOf; // the bits of the groups of each node, some of which may be forgotten

    /** A prepared search for one equivalence class in one node order. */
    static final class Search {
        private final NodeOrder order;
        private final long[] demand;
        private final IntPredicate eligible;

        private Search(NodeOrder order, long[] demand, IntPredicate eligible) {
            this.order = order;
            this.demand = demand;
            this.eligible = eligible;
        }
    }

    /** Accepts the first eligible node of a rank that cannot be exceeded, and remembers the best one before it. */
    private static final class BestRank implements IntPredicate {
        private final IntPredicate eligible;
        private final NodeRanks ranks;
        private final long max;
        private int best = CapacityTree.NONE;
        private long bestRank = Long.MIN_VALUE;
        private int visited;

        private BestRank(IntPredicate eligible, NodeRanks ranks, long max) {
            this.eligible = eligible;
            this.ranks = ranks;
            this.max = max;
        }

        @Override
        public boolean test(int number) {
            visited++;
            long rank = ranks.of(number);
            if (rank <= bestRank || !eligible.test(number)) {
                return false;
            }
            best = number;
            bestRank = rank;
            return rank >= max;
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
        indexOf = new int[size];
        groupsOf = new int[size];
        masks = new long[size];
        avoided = ready.stream().anyMatch(NodeOrder::isAvoided);
        equivalenceClasses.conditions().nodesChanged(size);
        idleWorkers = new long[size];
        wasReserved = new boolean[nodes.length];
        free = new long[size * types];
        totalFree = new long[types];
        pairedCapacity = new PairedCapacity(partition, ready);
        PartitionConfiguration configuration = partition.configuration();
        utilisation = new Utilisation(partition, nodes, configuration.nodeSortPolicy() == NodeSortPolicy.FAIR ? 1 : -1);
        capacity = new long[pairedCapacity.width() + 1 + utilisation.width()];
        tree = newTree();
        for (int number = 0; number < size; number++) {
            indexOf[number] = nodes[number].index();
            numberOfNode[indexOf[number]] = number;
            masks[number] = equivalenceClasses.conditions().maskOf(nodes[number]);
            put(number);
        }
    }

    private static boolean isAvoided(Node node) {
        return !node.taints().isEmpty()
                && node.taints().stream().anyMatch(taint -> !taint.effect().excludes());
    }

    /** Returns whether the partition has gained resource types, so that the order must be rebuilt. */
    boolean isOutdated() {
        return types != partition.types().size();
    }

    /**
     * Moves a node to its position after its free capacity has changed; returns whether it has more of some type.
     */
    boolean update(Node node) {
        int number = node.index() < numberOfNode.length ? numberOfNode[node.index()] : NONE;
        return number != NONE && nodes[number] == node && put(number);
    }

    /** Takes this many times the demand from the free capacity of a ready node until it is given back. */
    void hold(Node node, long[] demand, int times) {
        int number = numberOfNode[node.index()];
        if (held.length == 0) {
            held = new long[nodes.length][];
        }
        long[] before = held[number];
        long[] after = Vectors.sum(before == null ? Vectors.empty() : before, demand, times);
        held[number] = isZero(after) ? null : after;
        put(number);
    }

    private static boolean isZero(long[] amounts) {
        for (long amount : amounts) {
            if (amount != 0) {
                return false;
            }
        }
        return true;
    }

    /** Adds the number of tasks of a class that each node holds beside its tasks to the count of its domain. */
    void countTasks(EquivalenceClass equivalenceClass, TopologyDomains.Domains domains, long[] counts) {
        for (int number = 0; number < nodes.length; number++) {
            int domain = domains.of(indexOf[number]);
            if (domain != TopologyDomains.Domains.NONE && equivalenceClass.mayRunOn(nodes[number])) {
                counts[domain] += Math.min(Integer.MAX_VALUE, nodes[number].tasksMax(equivalenceClass.demand));
            }
        }
    }

    /** Returns whether all nodes together have this much free capacity, slots excepted. */
    boolean mayFitInTotal(long[] demand) {
        for (int type = 0; type < Math.min(demand.length, types); type++) {
            if (type != ResourceTypes.SLOTS_INDEX && demand[type] > totalFree[type]) {
                return false;
            }
        }
        return true;
    }

    private long heldOf(int number, int type) {
        long[] amounts = number < held.length ? held[number] : null;
        return amounts == null ? 0 : Vectors.at(amounts, type);
    }

    private boolean fits(Node node, long[] demand) {
        int number = numberOfNode[node.index()];
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] + heldOf(number, type) > node.free(type)) {
                return false;
            }
        }
        return true;
    }

    /** Computes the masks of all nodes again, after a class had a condition for the first time. */
    void updateMasks() {
        for (int number = 0; number < nodes.length; number++) {
            long mask = equivalenceClasses.conditions().maskOf(nodes[number]);
            if (mask != masks[number]) {
                masks[number] = mask;
                put(number);
            }
        }
    }

    /** Returns the first node in order for a task of this class, among all nodes, or null. */
    @Nullable Node firstFit(EquivalenceClass equivalenceClass) {
        return firstFit(equivalenceClass, null);
    }

    /**
     * Returns the first node in order with enough free capacity that meets the conditions of this class, among those
     * of the highest rank, or null. Reserved nodes are left out, and so are those whose indexes do not pass a test.
     */
    @Nullable Node firstFit(EquivalenceClass equivalenceClass, @Nullable IntPredicate among) {
        if (equivalenceClass.requiredNode() != null) {
            Node node = partition.node(equivalenceClass.requiredNode());
            boolean fits = node != null && node.isReady() && !isReserved(node) && takes(node, equivalenceClass, among);
            return fits ? node : null;
        }
        Search search = searchFor(equivalenceClass);
        IntPredicate eligible = eligible(search, equivalenceClass, among);
        int number = equivalenceClass.tasks.isActive()
                ? mostPreferred(search, equivalenceClass, eligible)
                : equivalenceClass.ranks.areEqual()
                        ? tree.first(search.demand, equivalenceClass.mask, eligible)
                        : firstOfHighestRank(search, equivalenceClass, eligible);
        return number == CapacityTree.NONE ? null : nodes[number];
    }

    /**
     * Returns which nodes with room a task of this class may use: those that its constraints and other tasks permit,
     * among the nodes whose indexes pass a test. Reserved nodes have no room.
     */
    private IntPredicate eligible(Search search, EquivalenceClass equivalenceClass, @Nullable IntPredicate among) {
        TaskRules tasks = equivalenceClass.tasks;
        IntPredicate eligible = search.eligible;
        if (tasks.isActive()) {
            IntPredicate byNode = eligible;
            eligible = number -> tasks.permits(indexOf[number]) && byNode.test(number);
        }
        IntPredicate permitted = eligible;
        return among == null ? permitted : number -> among.test(indexOf[number]) && permitted.test(number);
    }

    /** Returns whether a ready node, reserved or not, has room for a task of this class beside what is held there. */
    boolean takes(Node node, EquivalenceClass equivalenceClass, @Nullable IntPredicate among) {
        return fits(node, equivalenceClass.demand)
                && VictimSearch.mayRunOn(node, equivalenceClass)
                && (among == null || among.test(node.index()));
    }

    private int firstOfHighestRank(Search search, EquivalenceClass equivalenceClass, IntPredicate eligible) {
        NodeRanks ranks = equivalenceClass.ranks;
        long max = Math.min(equivalenceClass.rankMax, ranks.highest());
        RankGroup group = ranks.group;
        int first = group == null || group.rank != max
                ? CapacityTree.NONE
                : group.first(search.demand, equivalenceClass.mask, eligible);
        if (first != CapacityTree.NONE) {
            return first;
        }
        BestRank best = new BestRank(eligible, ranks, max);
        if (tree.first(search.demand, equivalenceClass.mask, best) == CapacityTree.NONE) {
            equivalenceClass.rankMax = best.bestRank; // all nodes with room were visited
            equivalenceClass.visitedInVain = 0;
        } else {
            equivalenceClass.visitedInVain += Math.max(0, best.visited - VISITS_CHEAP);
            if (equivalenceClass.visitedInVain > nodes.length) {
                equivalenceClass.visitedInVain = 0;
                group(ranks, max);
            }
        }
        return best.best;
    }

    /**
     * Returns the first node of the highest rank that other tasks permit, where they decide about the rank, too: after
     * the rank of the node, the smallest excess. Visits all nodes with room unless one cannot be surpassed. Those that
     * other tasks permit change, so no rank is skipped.
     */
    private int mostPreferred(Search search, EquivalenceClass equivalenceClass, IntPredicate eligible) {
        TaskRules tasks = equivalenceClass.tasks;
        NodeRanks ranks = equivalenceClass.ranks;
        boolean equal = ranks.areEqual();
        if (equal && !tasks.hasPreferences()) {
            return tree.first(search.demand, equivalenceClass.mask, eligible);
        }
        Best best = new Best((equal ? 0 : ranks.highest()) + tasks.weightMax());
        int unused = tree.first(
                search.demand,
                equivalenceClass.mask,
                number -> eligible.test(number)
                        && best.offer(
                                number,
                                (equal ? 0 : ranks.of(number)) + tasks.weight(indexOf[number]),
                                tasks.excess(indexOf[number])));
        return best.number;
    }

    /** The best of the nodes that were offered in order. */
    private static final class Best {
        private final long rankMax;
        private int number = CapacityTree.NONE;
        private long rank;
        private long excess;

        private Best(long rankMax) {
            this.rankMax = rankMax;
        }

        /** Takes notice of a node; returns whether no other one can surpass it. */
        private boolean offer(int offered, long itsRank, long itsExcess) {
            if (number == CapacityTree.NONE || itsRank > rank || (itsRank == rank && itsExcess < excess)) {
                number = offered;
                rank = itsRank;
                excess = itsExcess;
            }
            return itsRank == rankMax && itsExcess == 0;
        }
    }

    /** Creates a group for searches that have visited as many nodes of other ranks as its creation does. */
    private void group(NodeRanks ranks, long rank) {
        groups.removeIf(group -> group == ranks.group || group.isObsolete());
        if (groups.size() == GROUPS_MAX) {
            groups.remove(0).forget();
        }
        int others = 0;
        for (RankGroup group : groups) {
            others |= group.bit;
        }
        RankGroup group = new RankGroup(ranks, rank, Integer.lowestOneBit(~others), newTree());
        for (int number = 0; number < nodes.length; number++) {
            groupsOf[number] &= others;
            if (ranks.isOf(number, rank)) {
                groupsOf[number] |= group.bit;
                boolean unused = writeCapacity(number);
                group.put(number, key(number), capacity);
            }
        }
        groups.add(group);
        ranks.group = group;
    }

    /** Compares two of these nodes by their position in the order. */
    int compare(Node a, Node b) {
        long[] amountsOfA = new long[utilisation.width()];
        long[] amountsOfB = new long[utilisation.width()];
        utilisation.writeAmounts(a, amountsOfA, 0);
        utilisation.writeAmounts(b, amountsOfB, 0);
        int numberOfA = numberOfNode[a.index()];
        int numberOfB = numberOfNode[b.index()];
        addHeld(numberOfA, amountsOfA, 0);
        addHeld(numberOfB, amountsOfB, 0);
        int order = utilisation.compare(numberOfA, amountsOfA, 0, 1, numberOfB, amountsOfB, 0);
        return order != 0 ? order : Integer.compare(numberOfA, numberOfB);
    }

    private Search searchFor(EquivalenceClass equivalenceClass) {
        Search search = equivalenceClass.search;
        if (search == null || search.order != this) {
            IntPredicate eligible =
                    equivalenceClass.maskSuffices ? number -> true : number -> equivalenceClass.mayRunOn(nodes[number]);
            search = new Search(this, pairedCapacity.withPairs(equivalenceClass.demand), eligible);
            equivalenceClass.search = search;
            equivalenceClass.rankMax = Long.MAX_VALUE;
            equivalenceClass.ranks.update(this, nodes, avoided);
        }
        return search;
    }

    /** Returns the free capacity of all these nodes together, by type; its slots are the idle workers. */
    long[] totalFree() {
        return totalFree.clone();
    }

    private void addHeld(int number, long[] amounts, int at) {
        if (number < held.length && held[number] != null) {
            utilisation.addAmounts(held[number], amounts, at);
        }
    }

    private boolean isReserved(Node node) {
        Reservations reservations = partition.reservations();
        return !reservations.isEmpty() && reservations.onNode(node.name()) != null;
    }

    private CapacityTree newTree() {
        return new CapacityTree(nodes.length, pairedCapacity.width(), utilisation.width(), utilisation);
    }

    /** Returns whether the node offers more of some type than when last put. */
    private boolean put(int number) {
        boolean grew = writeCapacity(number);
        double key = key(number);
        tree.put(number, key, capacity);
        if (groupsOf[number] != 0) {
            for (int i = 0; i < groups.size(); i++) { // no iterator: this runs for each placement
                if ((groupsOf[number] & groups.get(i).bit) != 0) {
                    groups.get(i).put(number, key, capacity);
                }
            }
        }
        return grew;
    }

    /** Returns the key of the node whose capacity was written last. */
    private double key(int number) {
        return utilisation.key(number, capacity, pairedCapacity.width() + 1);
    }

    /**
     * Writes the capacity of a node for the trees, and updates the totals; returns whether some of it has grown, or the
     * node is not reserved any more.
     */
    private boolean writeCapacity(int number) {
        Node node = nodes[number];
        boolean grew = false;
        for (int type = 0; type < types; type++) {
            int at = number * types + type;
            capacity[type] = node.free(type);
            if (held.length > 0 && capacity[type] != Long.MAX_VALUE) {
                capacity[type] -= heldOf(number, type);
            }
            grew |= capacity[type] > free[at];
            if (type != ResourceTypes.SLOTS_INDEX) {
                totalFree[type] += capacity[type] - free[at];
            }
            free[at] = capacity[type];
        }
        boolean isReserved = isReserved(node);
        grew |= wasReserved[number] && !isReserved;
        wasReserved[number] = isReserved;
        if (isReserved) {
            Arrays.fill(capacity, 0, types, 0);
        }
        pairedCapacity.writePairs(capacity);
        capacity[pairedCapacity.width()] = masks[number];
        utilisation.writeAmounts(node, capacity, pairedCapacity.width() + 1);
        addHeld(number, capacity, pairedCapacity.width() + 1);
        totalFree[ResourceTypes.SLOTS_INDEX] += node.idleWorkers() - idleWorkers[number];
        idleWorkers[number] = node.idleWorkers();
        return grew;
    }
}
