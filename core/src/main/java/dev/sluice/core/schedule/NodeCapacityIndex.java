package dev.sluice.core.schedule;

import dev.sluice.core.state.Changes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The capacity index of a partition: which equivalence classes fit on its nodes, and where.
 *
 * <p>Within a cycle free capacity only shrinks, except where tasks are preempted. So a class that does not fit is not
 * searched again in the same cycle unless a preemption makes it fit, or other tasks by which it is constrained.
 */
final class NodeCapacityIndex {

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses;
    private final CapacityGrowth growth = new CapacityGrowth();

    /** What a gang holds while it is tried. */
    private final List<Held> held = new ArrayList<>();

    private final Backfill backfill;
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

    private record Held(
            @Nullable Node node,
            EquivalenceClass equivalenceClass,
            @Nullable TaskGroup group,
            boolean excludes) {}

    NodeCapacityIndex(Partition partition, EquivalenceClasses equivalenceClasses) {
        this.partition = partition;
        this.equivalenceClasses = equivalenceClasses;
        equivalenceClasses.conditions().takeChanged();
        equivalenceClasses.taskCounters().sync(partition.changes());
        this.order = new NodeOrder(partition, equivalenceClasses);
        this.backfill = new Backfill(partition, this);
    }

    /** Returns who may use reserved nodes, which the index does not offer. */
    Backfill backfill() {
        return backfill;
    }

    /**
     * Called when a reservation was made or ended: classes that fit a node that is not reserved any more are searched
     * again.
     */
    void reservationChanged(@Nullable Node freed) {
        if (freed != null) {
            preemptedOn(freed);
        }
        nextToTry = -1;
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
            equivalenceClass.cycleOfRankMax = -1;
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

    /** Updates the index after changes of nodes, and after classes had new conditions. */
    void sync(Changes changes) {
        boolean conditionsChanged = equivalenceClasses.conditions().takeChanged();
        if (changes.nodesStale() || order.isOutdated()) {
            order = new NodeOrder(partition, equivalenceClasses);
            growth.allChanged();
            return;
        }
        List<Node> nodes = changes.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            growth.changed(nodes.get(i), order.update(nodes.get(i)));
        }
        if (conditionsChanged) {
            order.updateMasks(); // after the nodes, whose growth it would hide
        }
    }

    /** Returns the free capacity of all ready nodes together, as a vector; its slots are the idle workers. */
    long[] free() {
        return order.totalFree();
    }

    /** Returns whether a ready node, reserved or not, has room for a task of this class beside what is held there. */
    boolean takes(Node node, EquivalenceClass equivalenceClass, @Nullable IntPredicate among) {
        return order.takes(node, equivalenceClass, among);
    }

    /** Compares two ready nodes by their position in the node order. */
    int compare(Node a, Node b) {
        return order.compare(a, b);
    }

    /** Returns the first node in order that is not reserved and fits a task of this class, or null. */
    @Nullable Node first(EquivalenceClass equivalenceClass) {
        if (isKnownNotToFit(equivalenceClass)) {
            return null;
        }
        Node node = firstBesideHeld(equivalenceClass, null);
        if (node == null) {
            equivalenceClass.cycleWithoutCapacity = cycle;
            equivalenceClass.tasks.setRefused();
        }
        return node;
    }

    /** Returns the labels of the levels of topology, from the widest domain to the narrowest. */
    List<String> levels() {
        return partition.configuration().topology();
    }

    /** Returns the domains of the nodes on a level. */
    TopologyDomains.Domains domains(int level) {
        return equivalenceClasses.taskCounters().topologies().ofLevel(levels().subList(0, level + 1));
    }

    /** Returns how many tasks of a class fit in each domain. */
    long[] countTasks(EquivalenceClass equivalenceClass, TopologyDomains.Domains domains) {
        long[] counts = new long[domains.size()];
        order.countTasks(equivalenceClass, domains, counts);
        return counts;
    }

    CapacityGrowth growth() {
        return growth;
    }

    /** Returns whether all nodes together have this much free capacity, slots excepted. */
    boolean mayFitInTotal(long[] demand) {
        return order.mayFitInTotal(demand);
    }

    /**
     * Returns whether this number of tasks of a class may fit, as far as that is known without trying.
     *
     * @param reserved how many reserved nodes may take at most
     */
    boolean mayFit(EquivalenceClass equivalenceClass, int count, long reserved) {
        if (isKnownNotToFit(equivalenceClass) && (backfill.isEmpty() || !equivalenceClass.tasks.isActive())) {
            return reserved >= count;
        }
        if (equivalenceClass.knownTasks < 0) {
            return true;
        }
        long known = equivalenceClass.knownTasks + reserved;
        return known >= count
                || equivalenceClass.tasks.mayPermitMore(equivalenceClass.knownEasings)
                || moreTasks(equivalenceClass) >= count - known;
    }

    /** Returns how many tasks of a class may fit in addition to those counted; computed once for each instant. */
    private long moreTasks(EquivalenceClass equivalenceClass) {
        if (equivalenceClass.moreTasksAt != growth.now()) {
            equivalenceClass.moreTasksAt = growth.now();
            equivalenceClass.moreTasks = growth.tasksSince(equivalenceClass.knownTasksAt, equivalenceClass.demand);
        }
        return equivalenceClass.moreTasks;
    }

    /** Counts again how many tasks of a class fit, at most this number, if it is not known what has changed since. */
    void recount(EquivalenceClass equivalenceClass, int count) {
        if (equivalenceClass.knownTasks >= 0 && moreTasks(equivalenceClass) == Long.MAX_VALUE) {
            rememberFitting(equivalenceClass, count, -1);
        }
    }

    /**
     * Remembers how many tasks of a class fit on nodes that are not reserved if that is fewer than this number.
     *
     * @param known how many fit, or -1 to count them
     */
    void rememberFitting(EquivalenceClass equivalenceClass, int count, int known) {
        int fitting = Math.max(0, known);
        try {
            while (known < 0 && fitting < count && hold(equivalenceClass, null, false, null) != null) {
                fitting++;
            }
        } finally {
            releaseHeld();
        }
        equivalenceClass.knownTasks = fitting < count ? fitting : -1;
        equivalenceClass.knownTasksAt = growth.now();
        equivalenceClass.knownEasings = equivalenceClass.tasks.easings();
        equivalenceClass.moreTasksAt = -1;
    }

    /**
     * Returns the first node that fits a task of this class beside what is held, and holds it; or null. A reserved node
     * comes after all others, and only if the task may use it.
     *
     * @param group the group of the task, or null if it uses no reserved node
     * @param excludes whether it must be apart from tasks of other classes that will be held
     * @param among tests the indexes of the nodes that are considered; null if all are
     */
    @Nullable Node hold(
            EquivalenceClass equivalenceClass,
            @Nullable TaskGroup group,
            boolean excludes,
            @Nullable IntPredicate among) {
        Node node = firstBesideHeld(equivalenceClass, among);
        if (node == null && group != null && !backfill.isEmpty()) {
            node = backfill.first(equivalenceClass, group, among);
        }
        if (node != null) {
            hold(node, equivalenceClass, group, excludes, 1);
        }
        held.add(new Held(node, equivalenceClass, group, excludes));
        return node;
    }

    /**
     * Holds a task of this class on the first of these reserved nodes that fits it; returns the node or null.
     *
     * @param excludes whether it must be apart from tasks of other classes that will be held
     */
    @Nullable Node holdOn(List<Node> nodes, EquivalenceClass equivalenceClass, TaskGroup group, boolean excludes) {
        for (Node node : nodes) {
            if (node.isReady() && takes(node, equivalenceClass, null)) {
                hold(node, equivalenceClass, group, excludes, 1);
                held.add(new Held(node, equivalenceClass, group, excludes));
                return node;
            }
        }
        return null;
    }

    private @Nullable Node firstBesideHeld(EquivalenceClass equivalenceClass, @Nullable IntPredicate among) {
        if (isKnownNotToFit(equivalenceClass)) {
            return null;
        }
        if (equivalenceClass.cycleOfRankMax != cycle) {
            equivalenceClass.cycleOfRankMax = cycle;
            equivalenceClass.rankMax = Long.MAX_VALUE;
        }
        return order.firstFit(equivalenceClass, among);
    }

    private void hold(
            Node node, EquivalenceClass equivalenceClass, @Nullable TaskGroup group, boolean excludes, int times) {
        order.hold(node, equivalenceClass.demand, times);
        equivalenceClasses.taskCounters().hold(equivalenceClass, excludes, node, times);
        if (group != null) {
            backfill.hold(node, group, times);
        }
    }

    private boolean isKnownNotToFit(EquivalenceClass equivalenceClass) {
        return equivalenceClass.cycleWithoutCapacity == cycle && !equivalenceClass.tasks.hasEased();
    }

    /** Releases everything that is held, the last first. */
    void releaseHeld() {
        for (int i = held.size() - 1; i >= 0; i--) {
            EquivalenceClass equivalenceClass = held.get(i).equivalenceClass;
            equivalenceClass.cycleOfRankMax = -1; // ranks that were full have room again
            Node node = held.get(i).node;
            if (node != null) {
                hold(node, equivalenceClass, held.get(i).group, held.get(i).excludes, -1);
            }
        }
        held.clear();
    }

    /** Returns whether any class in use may fit on any node. Each class is found not to fit at most once in a cycle. */
    boolean anythingFits() {
        if (nextToTry < 0) {
            triedClasses = equivalenceClasses.all();
            nextToTry = 0;
            fittingNode = null;
        }
        while (nextToTry < triedClasses.size()) {
            EquivalenceClass equivalenceClass = triedClasses.get(nextToTry);
            if (equivalenceClass.uses > 0) {
                fittingNode = fittingNode != null && stillFits(equivalenceClass, fittingNode)
                        ? fittingNode
                        : first(equivalenceClass);
                if (fittingNode != null || backfill.mayFit(equivalenceClass)) {
                    return true;
                }
            }
            fittingNode = null;
            nextToTry++;
        }
        return anyEasedFits();
    }

    private static boolean stillFits(EquivalenceClass equivalenceClass, Node node) {
        TaskRules tasks = equivalenceClass.tasks;
        return node.fits(equivalenceClass.demand) && (!tasks.isActive() || tasks.permits(node));
    }

    /** Returns whether a class fits some node by now that fitted none when it was tried, because of other tasks. */
    private boolean anyEasedFits() {
        for (int i = 0; i < triedClasses.size(); i++) {
            EquivalenceClass equivalenceClass = triedClasses.get(i);
            if (equivalenceClass.uses > 0
                    && equivalenceClass.tasks.hasEased()
                    && (first(equivalenceClass) != null || backfill.mayFit(equivalenceClass))) {
                return true;
            }
        }
        return false;
    }
}
