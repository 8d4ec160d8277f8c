package dev.sluice.core.state;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A machine, or a part of one, with what it has and what is allocated there. */
public final class Node extends TimerSubject {

    private final ResourceTypes types;
    private final String name;
    private final int index;
    private final List<Task> tasks = new ArrayList<>();
    private Resources capacity;
    private long[] capacityVector;
    private boolean declaresSlots;
    private long workers;
    private SortedMap<String, String> labels;
    private long[] allocated = Vectors.empty();
    private NodeHealth health = NodeHealth.READY;
    private Instant healthSince;
    private @Nullable Instant flakySince;
    private boolean offline;
    private int preempting;
    private Set<Task> reserved = Set.of(); // in the order of placement
    private long[] occupied = Vectors.empty(); // by all but what is reserved, so also by what is preempting
    private boolean removed;
    boolean touched;

    Node(
            ResourceTypes types,
            String name,
            int index,
            Resources capacity,
            SortedMap<String, String> labels,
            Instant at) {
        this.types = types;
        this.name = name;
        this.index = index;
        this.capacity = capacity;
        this.capacityVector = types.vector(capacity, 0);
        this.declaresSlots = declaresSlots(capacity);
        this.workers = workers(capacity);
        this.labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        this.healthSince = at;
    }

    /** The node's name, unique in its partition. */
    public String name() {
        return name;
    }

    /** A small number, unique among the nodes of its partition that are there. */
    public int index() {
        return index;
    }

    /** What the node has. */
    public Resources capacity() {
        return capacity;
    }

    /** What the node has, as a vector; not to be changed. */
    public long[] capacityVector() {
        return capacityVector;
    }

    /** What its labels say. */
    public SortedMap<String, String> labels() {
        return labels;
    }

    /** What is allocated on it, as a vector; not to be changed. */
    public long[] allocated() {
        return allocated;
    }

    /** Whether it takes tasks, and why not. */
    public NodeState state() {
        return NodeState.of(health, offline);
    }

    /** How it is, whether or not a person took it offline. */
    public NodeHealth health() {
        return health;
    }

    /** Since when it is so. */
    public Instant healthSince() {
        return healthSince;
    }

    /** When it was last reported as flaky, or null if it was not or has been ready since. */
    public @Nullable Instant flakySince() {
        return flakySince;
    }

    /** Whether it was reported as flaky and is still to be set aside for that. */
    public boolean isQuarantined(Instant now) {
        return flakySince != null
                && Timer.later(flakySince, SchedulerLimits.FLAKY_MAX).isAfter(now);
    }

    /** Whether a person took it out and nobody reinstated it. */
    public boolean isOffline() {
        return offline;
    }

    /** Whether it has left its partition. */
    public boolean isRemoved() {
        return removed;
    }

    /** Whether tasks may be placed on it. */
    public boolean isReady() {
        return state() == NodeState.READY && !removed;
    }

    /** The tasks that stand on it, those included that are preempting, in no particular order. */
    public List<Task> tasks() {
        return Collections.unmodifiableList(tasks);
    }

    /** Whether it says how many tasks it runs at most. */
    public boolean declaresSlots() {
        return declaresSlots;
    }

    private static boolean declaresSlots(Resources capacity) {
        return capacity.names(ResourceTypes.SLOTS);
    }

    /** How many workers it counts as: its slots, else its whole cores, at least 1. */
    public long workers() {
        return workers;
    }

    private static long workers(Resources capacity) {
        return declaresSlots(capacity)
                ? capacity.amount(ResourceTypes.SLOTS).value()
                : Math.max(1, capacity.amount(ResourceTypes.VCORE).value() / 1000);
    }

    /** How much of this type is free: unlimited for slots that are not declared, never below zero. */
    public long free(int type) {
        return freeExcluding(allocated, type);
    }

    private long freeExcluding(long[] others, int type) {
        if (type == ResourceTypes.SLOTS_INDEX && !declaresSlots) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, Vectors.at(capacityVector, type) - Vectors.at(others, type));
    }

    /** How many of its workers are idle. */
    public long idleWorkers() {
        return Math.max(0, workers - (tasks.size() - preempting));
    }

    /** Those of its tasks that must not be started yet, in the order of placement. */
    public List<Task> reserved() {
        return List.copyOf(reserved);
    }

    /**
     * Whether a task that was or is to be given room here must not be started yet, because tasks that are preempting take that room.
     * Others that are reserved do not count: what fits first starts first.
     */
    public boolean mustReserve(long[] demand) {
        if (preempting == 0) {
            return false;
        }
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > freeExcluding(occupied, type)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is room for this demand. */
    public boolean fits(long[] demand) {
        for (int i = 0; i < demand.length; i++) {
            if (demand[i] > free(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether there would be room for this demand if nothing else ran on it. */
    public boolean isLargeEnoughFor(long[] demand) {
        for (int type = 0; type < demand.length; type++) {
            boolean counts = type != ResourceTypes.SLOTS_INDEX || declaresSlots;
            if (counts && demand[type] > Vectors.at(capacityVector, type)) {
                return false;
            }
        }
        return true;
    }

    @Override
    int timerRank() {
        return 0;
    }

    @Override
    int timerIndex() {
        return index;
    }

    /** Writes all but its tasks, which know where they stand. */
    void writeTo(PartitionCheckpointWriter out) {
        out.sink().text(name);
        out.sink().number(index);
        out.sink().resources(capacity);
        out.texts(labels);
        out.constant(health);
        out.sink().instant(healthSince);
        out.optional(flakySince);
        out.sink().flag(offline);
        out.timer(this);
    }

    static Node readFrom(PartitionCheckpointReader in, ResourceTypes types) {
        StateSource source = in.source();
        String name = source.text();
        int index = in.count();
        Resources capacity = source.resources();
        SortedMap<String, String> labels = in.texts();
        NodeHealth health = in.constant(NodeHealth.class);
        Node node = new Node(types, name, index, capacity, labels, in.instant());
        node.health = health;
        node.flakySince = in.optionalInstant();
        node.offline = source.flag();
        in.timer(node);
        return node;
    }

    /** A task was read that stands here, at this position; {@link #restoreOrder} follows when all have been read. */
    void restore(Task task, int position) {
        add(task);
        if (task.isPreempting()) {
            leave(task);
        }
        task.nodePosition = position;
    }

    /** Puts the tasks that were read where they stood. */
    void restoreOrder() {
        tasks.sort(Comparator.comparingInt(task -> task.nodePosition));
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i).nodePosition != i) {
                throw PartitionCheckpointReader.corrupt("no task stands at position " + i + " of node " + name);
            }
        }
        if (reserved.size() > 1) {
            List<Task> ordered = new ArrayList<>(reserved);
            ordered.sort(Comparator.comparingLong(Task::sequence));
            reserved = new LinkedHashSet<>(ordered);
        }
    }

    void update(Resources newCapacity, SortedMap<String, String> newLabels) {
        capacity = newCapacity;
        capacityVector = types.vector(newCapacity, 0);
        declaresSlots = declaresSlots(newCapacity);
        workers = workers(newCapacity);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(newLabels));
    }

    void setHealth(NodeHealth newHealth, @Nullable Instant newFlakySince, Instant at) {
        healthSince = newHealth == health ? healthSince : at;
        health = newHealth;
        flakySince = newFlakySince;
    }

    void setOffline(boolean newOffline) {
        offline = newOffline;
    }

    void markRemoved() {
        removed = true;
    }

    void add(Task task) {
        allocated = Vectors.add(allocated, task.demand(), 1);
        if (task.isReserved()) {
            reserved = reserved.isEmpty() ? new LinkedHashSet<>() : reserved;
            reserved.add(task);
        } else {
            occupied = Vectors.add(occupied, task.demand(), 1);
        }
        task.nodePosition = tasks.size();
        tasks.add(task);
    }

    /** A reserved task need not wait any more. */
    void release(Task task) {
        reserved.remove(task);
        occupied = Vectors.add(occupied, task.demand(), 1);
    }

    /** A task gives up its room, but stays until it has ended. */
    void leave(Task task) {
        allocated = Vectors.add(allocated, task.demand(), -1);
        preempting++;
    }

    void remove(Task task) {
        if (task.isReserved()) {
            reserved.remove(task);
        } else {
            occupied = Vectors.add(occupied, task.demand(), -1);
        }
        if (task.isPreempting()) {
            preempting--;
        } else {
            allocated = Vectors.add(allocated, task.demand(), -1);
        }
        Task last = tasks.remove(tasks.size() - 1);
        if (last != task) {
            tasks.set(task.nodePosition, last);
            last.nodePosition = task.nodePosition;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
