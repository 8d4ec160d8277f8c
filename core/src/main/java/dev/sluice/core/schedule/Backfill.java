package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.ExpectedEnd;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeForecast;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservedCapacity;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may use reserved nodes in a cycle (EASY backfill): the holder of the reservation and, unless it is firm, a task
 * that is expected to end before the reservation starts, and a task beside which the node is expected to hold the
 * reservation at its start.
 *
 * <p>The capacity index does not offer reserved nodes. They are tried after all others, in node order. Tasks of one
 * equivalence class may differ in their durations, so each is tried by itself, at most {@link #REFUSALS_MAX} in vain
 * in a cycle.
 */
final class Backfill {

    static final int REFUSALS_MAX = 1_000;

    private final Partition partition;
    private final NodeCapacityIndex capacityIndex;
    private final List<Reserved> reserved = new ArrayList<>();
    private final Map<EquivalenceClass, Set<Backlog>> refused = new HashMap<>();

    /** The reserved nodes that have room for a class; valid until one of them changes. */
    private final Map<EquivalenceClass, List<Reserved>> withRoom = new HashMap<>();

    /** The room of the nodes of each reservation for a class; valid until a reserved node changes. */
    private final Map<EquivalenceClass, List<Room>> byReservation = new HashMap<>();

    /** The number of tasks that a gang that is being tried holds. */
    private int holds;

    private int refusals;
    private Instant now = Instant.MIN;

    /** A reserved node. */
    private static final class Reserved {
        private final Reservation reservation;
        private final boolean firm;
        private final Node node;
        private final TaskGroup holder;
        private final long[] amounts;

        /** The classes of the tasks that it is for. */
        private final Set<EquivalenceClass.Key> keys;

        private final Map<EquivalenceClass, Boolean> fitsBeside = new HashMap<>();

        /** What a gang that is being tried still uses there when the reservation starts. */
        private long[] held = Vectors.empty();

        private Reserved(
                Reservation reservation,
                boolean firm,
                Node node,
                TaskGroup holder,
                Set<EquivalenceClass.Key> keys,
                long[] amounts) {
            this.reservation = reservation;
            this.firm = firm;
            this.node = node;
            this.holder = holder;
            this.keys = keys;
            this.amounts = amounts;
        }

        private boolean isHeldFor(EquivalenceClass equivalenceClass) {
            return keys.contains(equivalenceClass.key);
        }
    }

    /** How many tasks of a class the nodes of a reservation have room for. */
    private static final class Room {
        private final Reservation reservation;
        private final Application holder;
        private final boolean firm;

        /** On nodes where they fit beside the reservation, and on others, which they must leave before it starts. */
        private long beside;

        private long before;

        private Room(Reserved first) {
            this.reservation = first.reservation;
            this.holder = first.holder.application();
            this.firm = first.firm;
        }

        private boolean mayEndBefore(Instant end) {
            return !firm && !end.isAfter(reservation.start());
        }
    }

    Backfill(Partition partition, NodeCapacityIndex capacityIndex) {
        this.partition = partition;
        this.capacityIndex = capacityIndex;
    }

    /** Begins a cycle at this time. */
    void begin(Instant at) {
        now = at;
        refusals = 0;
        refused.clear();
        reservationsChanged();
    }

    /** Reads the reservations again, after one was made or ended. */
    void reservationsChanged() {
        reserved.clear();
        withRoom.clear();
        byReservation.clear();
        for (Reservation reservation : partition.reservations().all()) {
            TaskGroup holder = holder(partition, reservation);
            Set<EquivalenceClass.Key> keys = holder == null ? Set.of() : keys(holder);
            for (ReservedCapacity part : reservation.capacity()) {
                Node node = partition.node(part.node());
                if (node != null && holder != null) {
                    long[] amounts = holder.application().isGangWaiting()
                            ? partition.types().vector(part.resources(), 0)
                            : holder.demand();
                    reserved.add(new Reserved(reservation, partition.isFirm(reservation), node, holder, keys, amounts));
                }
            }
        }
    }

    /** Returns the classes of the tasks that the reservation of a task is for. */
    private static Set<EquivalenceClass.Key> keys(TaskGroup holder) {
        Set<EquivalenceClass.Key> keys = new HashSet<>();
        boolean gang = holder.application().isGangWaiting();
        for (TaskGroup group : holder.application().groups()) {
            if (group == holder || (gang && group.pending() > 0)) {
                keys.add(EquivalenceClass.Key.of(group));
            }
        }
        return keys;
    }

    /** Called when the tasks on a node have changed. */
    void nodeChanged(Node node) {
        for (int i = 0; i < reserved.size(); i++) {
            if (reserved.get(i).node == node) {
                reserved.get(i).fitsBeside.clear();
                withRoom.clear();
                byReservation.clear();
            }
        }
    }

    /** Returns the group of the task that a reservation is for, or null if it does not exist any more. */
    static @Nullable TaskGroup holder(Partition partition, Reservation reservation) {
        var application = partition.application(reservation.task().application());
        return application == null
                        || !application.submitted().equals(reservation.origin().submitted())
                ? null
                : application.group(reservation.task().task());
    }

    /** Returns whether there is any reserved node. */
    boolean isEmpty() {
        return reserved.isEmpty();
    }

    /** Returns whether a reservation is for this task or for one like it. */
    boolean isHolder(Candidate candidate, Reservation reservation) {
        for (Reserved each : reserved) {
            if (each.reservation.equals(reservation)) {
                return isHolder(candidate.group(), candidate.backlog.equivalenceClass, each);
            }
        }
        return false;
    }

    private static boolean isHolder(TaskGroup group, EquivalenceClass equivalenceClass, Reserved each) {
        return each.holder.application() == group.application() && each.isHeldFor(equivalenceClass);
    }

    /** Returns the first reserved node in node order that the candidate may use now, or null. */
    @Nullable Node first(Candidate candidate) {
        EquivalenceClass equivalenceClass = candidate.backlog.equivalenceClass;
        int before = refusals;
        Node first = first(equivalenceClass, candidate.group(), null);
        if (refusals > before) {
            refused.computeIfAbsent(equivalenceClass, key -> Collections.newSetFromMap(new IdentityHashMap<>()))
                    .add(candidate.backlog);
        }
        return first;
    }

    /**
     * Returns the first reserved node in node order that a task of this group may use now, beside what is held there,
     * or null.
     *
     * @param among tests the indexes of the nodes that are considered; null if all are
     */
    @Nullable Node first(EquivalenceClass equivalenceClass, TaskGroup group, @Nullable IntPredicate among) {
        Instant end = endOf(group);
        boolean unchanged = among == null && holds == 0 && !equivalenceClass.tasks.isActive();
        Node first = null;
        boolean anyRefused = false;
        for (Reserved each : withRoom(equivalenceClass)) {
            if (unchanged || capacityIndex.takes(each.node, equivalenceClass, among)) {
                boolean may = isHolder(group, equivalenceClass, each)
                        || (!each.firm
                                && (fitsBeside(each, equivalenceClass)
                                        || (refusals < REFUSALS_MAX && !end.isAfter(each.reservation.start()))));
                anyRefused |= !may && !each.firm;
                if (may && (first == null || capacityIndex.compare(each.node, first) < 0)) {
                    first = each.node;
                }
            }
        }
        refusals += first == null && anyRefused ? 1 : 0;
        return first;
    }

    private Instant endOf(TaskGroup group) {
        Duration duration = ExpectedEnd.durationOf(group);
        return duration == null ? ExpectedEnd.NEVER : now.plus(duration);
    }

    /**
     * Returns the reserved nodes that have room for a class if nothing is held; all where other tasks decide about
     * nodes.
     */
    private List<Reserved> withRoom(EquivalenceClass equivalenceClass) {
        if (equivalenceClass.tasks.isActive()) {
            return reserved;
        }
        List<Reserved> nodes = withRoom.get(equivalenceClass);
        if (nodes == null) {
            nodes = new ArrayList<>();
            for (int i = 0; i < reserved.size(); i++) {
                if (fits(reserved.get(i).node, equivalenceClass)) {
                    nodes.add(reserved.get(i));
                }
            }
            withRoom.put(equivalenceClass, nodes);
        }
        return nodes;
    }

    /** Returns whether some reserved node has room for a task of this class, whoever may use it. */
    boolean hasRoom(EquivalenceClass equivalenceClass) {
        return !withRoom(equivalenceClass).isEmpty();
    }

    /** Takes this many times the demand of a group from a node, if it is reserved, until it is given back. */
    void hold(Node node, TaskGroup group, int times) {
        holds += times;
        for (int i = 0; i < reserved.size(); i++) {
            Reserved each = reserved.get(i);
            if (each.node == node && endOf(group).isAfter(each.reservation.start())) {
                each.held = Vectors.sum(each.held, group.demand(), times);
                each.fitsBeside.clear();
            }
        }
    }

    /**
     * Returns how many tasks of a class reserved nodes may take at most, if nothing is held: each as many as it has
     * room for, if it may take any.
     *
     * @param group the group of the tasks; null for any group, now or later
     */
    long tasksMax(EquivalenceClass equivalenceClass, @Nullable TaskGroup group) {
        if (reserved.isEmpty()) {
            return 0;
        }
        Instant end = group == null ? ExpectedEnd.NEVER : endOf(group);
        long sum = 0;
        for (Room each : rooms(equivalenceClass)) {
            boolean may = group == null || each.holder == group.application() || each.mayEndBefore(end);
            sum += each.beside + (may ? each.before : 0);
        }
        return sum;
    }

    /** Returns whether a node is reserved. */
    boolean isReserved(Node node) {
        return partition.reservations().onNode(node.name()) != null;
    }

    /** Returns how many tasks of a class the nodes of each reservation have room for. */
    private List<Room> rooms(EquivalenceClass equivalenceClass) {
        List<Room> rooms = equivalenceClass.tasks.isActive() ? null : byReservation.get(equivalenceClass);
        if (rooms == null) {
            rooms = new ArrayList<>();
            Room last = null;
            for (int i = 0; i < reserved.size(); i++) {
                Reserved each = reserved.get(i);
                if (last == null || !last.reservation.equals(each.reservation)) {
                    last = new Room(each);
                    rooms.add(last);
                }
                if (fits(each.node, equivalenceClass)) {
                    long tasks = Math.min(Integer.MAX_VALUE, each.node.tasksMax(equivalenceClass.demand));
                    boolean beside = !each.firm && fitsBeside(each, equivalenceClass);
                    last.beside += beside ? tasks : 0;
                    last.before += beside ? 0 : tasks;
                }
            }
            byReservation.put(equivalenceClass, rooms);
        }
        return rooms;
    }

    /** Returns whether some task of this class may still be able to use a reserved node in this cycle. */
    boolean mayFit(EquivalenceClass equivalenceClass) {
        for (int i = 0; i < reserved.size(); i++) {
            Reserved each = reserved.get(i);
            if (fits(each.node, equivalenceClass)
                    && (each.isHeldFor(equivalenceClass) || (!each.firm && mayFit(each, equivalenceClass)))) {
                return true;
            }
        }
        return false;
    }

    private boolean mayFit(Reserved each, EquivalenceClass equivalenceClass) {
        return fitsBeside(each, equivalenceClass)
                || (refusals < REFUSALS_MAX
                        && refused.getOrDefault(equivalenceClass, Set.of()).size() < equivalenceClass.uses);
    }

    /** Returns whether the reservation on a node alone keeps this task from using it. */
    boolean isRefused(Node node, long[] demand) {
        return !reserved.isEmpty() && isReserved(node) && node.fits(demand);
    }

    private static boolean fits(Node node, EquivalenceClass equivalenceClass) {
        return node.isReady() && node.fits(equivalenceClass.demand) && VictimSearch.mayRunOn(node, equivalenceClass);
    }

    private boolean fitsBeside(Reserved each, EquivalenceClass equivalenceClass) {
        Boolean known = each.fitsBeside.get(equivalenceClass);
        if (known == null) {
            long[] both = Vectors.sum(each.amounts, equivalenceClass.demand, 1);
            both = Vectors.sum(both, each.held, 1);
            known = NodeForecast.isFreeAt(each.node, both, each.reservation.start(), now);
            each.fitsBeside.put(equivalenceClass, known);
        }
        return known;
    }
}
