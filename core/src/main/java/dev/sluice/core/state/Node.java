package dev.sluice.core.state;

import dev.sluice.core.application.Deadline;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TextMap;
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
import org.jspecify.annotations.Nullable;

/** A node: a machine, or a part of one, with its capacity and the tasks on it. */
public final class Node extends TimerSubject {

    private final ResourceTypes types;
    private final String name;
    private final int index;
    private final List<Task> tasks = new ArrayList<>();
    private Resources capacity;
    private long[] capacityVector;
    private boolean declaresSlots;
    private long workers;
    private TextMap labels;
    private List<Taint> taints = List.of();
    private long[] allocated = Vectors.empty();
    private NodeHealth health = NodeHealth.READY;
    private Instant healthSince;
    private @Nullable Instant flakySince;
    private boolean offline;
    private int preempting;
    private Set<Task> reserved = Set.of(); // in the order of allocation
    private long[] occupied = Vectors.empty(); // by all tasks except reserved ones
    private @Nullable NodeEviction eviction; // null unless it has a taint NoExecute
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
        this.labels = TextMap.copyOf(labels);
        this.healthSince = at;
    }

    /** Returns the resource types known to its partition. */
    public ResourceTypes types() {
        return types;
    }

    /** Returns the name, unique in the partition. */
    public String name() {
        return name;
    }

    /** Returns a small number, unique among the present nodes of the partition. */
    public int index() {
        return index;
    }

    public Resources capacity() {
        return capacity;
    }

    /** Returns the capacity as a vector. Must not be modified. */
    public long[] capacityVector() {
        return capacityVector;
    }

    /** Returns the capacity of this type. */
    public long capacity(int type) {
        return Vectors.at(capacityVector, type);
    }

    public SortedMap<String, String> labels() {
        return labels;
    }

    /** Returns its taints in the order in which they were given. */
    public List<Taint> taints() {
        return taints;
    }

    /** Returns when its tasks must leave it; null if it has no taint NoExecute. */
    public @Nullable NodeEviction eviction() {
        return eviction;
    }

    /** Returns when this task must leave because of the taints of the node, or null if it may stay. */
    public @Nullable Instant leavesAt(Task task) {
        return task.stopReason() == null ? task.kind().constraints().leavesAt(taints) : null;
    }

    /** Returns the allocated resources as a vector. Must not be modified. */
    public long[] allocated() {
        return allocated;
    }

    /** Returns the allocated amount of this type. */
    public long allocated(int type) {
        return Vectors.at(allocated, type);
    }

    /** Returns whether it accepts tasks, and if not, why. */
    public NodeState state() {
        return NodeState.of(health, offline);
    }

    /** Returns its health, independent of whether an operator took it offline. */
    public NodeHealth health() {
        return health;
    }

    /** Returns the time at which it entered its health. */
    public Instant healthSince() {
        return healthSince;
    }

    /** Returns when it was last reported as flaky, or null if it never was or has been ready since. */
    public @Nullable Instant flakySince() {
        return flakySince;
    }

    /** Returns whether it was reported as flaky and must still be avoided because of that. */
    public boolean isQuarantined(Instant now) {
        return flakySince != null
                && Deadline.after(flakySince, SchedulerLimits.FLAKY_MAX).isAfter(now);
    }

    /** Returns whether an operator took it offline and nobody has reinstated it. */
    public boolean isOffline() {
        return offline;
    }

    /** Returns whether it was removed from its partition. */
    public boolean isRemoved() {
        return removed;
    }

    /** Returns whether it accepts tasks. */
    public boolean isReady() {
        return state() == NodeState.READY && !removed;
    }

    /** Returns the tasks on it in unspecified order, including preempted ones that have not ended. */
    public List<Task> tasks() {
        return Collections.unmodifiableList(tasks);
    }

    /** Returns whether its capacity includes {@code slots}, which limit the number of tasks. */
    public boolean declaresSlots() {
        return declaresSlots;
    }

    private static boolean declaresSlots(Resources capacity) {
        return capacity.names(ResourceTypes.SLOTS);
    }

    /** Returns the number of workers it counts as: its slots, or if it declares none its whole cores, at least 1. */
    public long workers() {
        return workers;
    }

    /** Returns the number of workers that a node with this capacity counts as. */
    public static long workers(Resources capacity) {
        return declaresSlots(capacity)
                ? capacity.amount(ResourceTypes.SLOTS).value()
                : Math.max(1, capacity.amount(ResourceTypes.VCORE).value() / 1000);
    }

    /** Returns the free amount of this type: unlimited for slots that are not declared, never negative. */
    public long free(int type) {
        return freeExcluding(allocated, type);
    }

    private long freeExcluding(long[] others, int type) {
        if (type == ResourceTypes.SLOTS_INDEX && !declaresSlots) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, capacity(type) - Vectors.at(others, type));
    }

    public long idleWorkers() {
        return Math.max(0, workers - (tasks.size() - preempting));
    }

    /** Returns its reserved tasks, which must not start yet, in the order of allocation. */
    public List<Task> reserved() {
        return List.copyOf(reserved);
    }

    /**
     * Returns whether a task with this demand must be reserved instead of started, because preempted tasks still occupy
     * the capacity. Other reserved tasks do not count: the first that fits starts first.
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

    /** Returns how many tasks of this demand the free capacity fits; {@link Long#MAX_VALUE} if nothing limits them. */
    public long tasksMax(long[] demand) {
        long tasks = Long.MAX_VALUE;
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > 0 && free(type) != Long.MAX_VALUE) {
                tasks = Math.min(tasks, free(type) / demand[type]);
            }
        }
        return tasks;
    }

    /** Returns how many tasks with this demand the whole capacity holds. */
    public long tasksIfEmpty(long[] demand) {
        long tasks = Long.MAX_VALUE;
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > 0 && (type != ResourceTypes.SLOTS_INDEX || declaresSlots)) {
                tasks = Math.min(tasks, capacity(type) / demand[type]);
            }
        }
        return tasks;
    }

    /** Returns whether the free capacity fits this demand. */
    public boolean fits(long[] demand) {
        for (int i = 0; i < demand.length; i++) {
            if (demand[i] > free(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the whole capacity fits this demand. */
    public boolean isLargeEnoughFor(long[] demand) {
        return tasksIfEmpty(demand) > 0;
    }

    @Override
    int timerRank() {
        return 0;
    }

    @Override
    int timerIndex() {
        return index;
    }

    /** Writes everything except its tasks, which store their node and position. */
    void writeTo(PartitionCheckpointWriter out) {
        out.sink().text(name);
        out.sink().number(index);
        out.sink().resources(capacity);
        out.texts(labels);
        writeTaints(out);
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
        List<Taint> taints = in.hasTaints() ? readTaints(in) : List.of();
        NodeHealth health = in.constant(NodeHealth.class);
        Node node = new Node(types, name, index, capacity, labels, in.instant());
        node.setTaints(taints);
        node.health = health;
        node.flakySince = in.optionalInstant();
        node.offline = source.flag();
        in.timer(node);
        return node;
    }

    private void writeTaints(PartitionCheckpointWriter out) {
        out.sink().number(taints.size());
        for (Taint taint : taints) {
            out.sink().text(taint.key());
            out.sink().text(taint.value());
            out.constant(taint.effect());
            out.optional(taint.timeAdded());
        }
    }

    private static List<Taint> readTaints(PartitionCheckpointReader in) {
        List<Taint> taints = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            String key = in.source().text();
            String value = in.source().text();
            taints.add(new Taint(key, value, in.constant(TaintEffect.class), in.optionalInstant()));
        }
        return List.copyOf(taints);
    }

    /** Adds a task that was read, at its position; {@link #restoreOrder} follows after all tasks. */
    void restore(Task task, int position) {
        restore(task);
        task.nodePosition = position;
    }

    /** Adds a task in any state; {@link #orderByAllocation} follows after all tasks. */
    void restore(Task task) {
        add(task);
        if (task.isPreempting()) {
            preempt(task);
        }
    }

    /** Restores the order of the tasks that were read. */
    void restoreOrder() {
        tasks.sort(Comparator.comparingInt(task -> task.nodePosition));
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i).nodePosition != i) {
                throw PartitionCheckpointReader.corrupt("node " + name + " has no task at position " + i);
            }
        }
        orderReserved();
    }

    /** Brings its tasks, which were restored in any order, into the order of their allocation. */
    void orderByAllocation() {
        tasks.sort(Comparator.comparingLong(Task::sequence));
        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).nodePosition = i;
        }
        orderReserved();
    }

    private void orderReserved() {
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
        labels = TextMap.copyOf(newLabels);
    }

    void setHealth(NodeHealth newHealth, @Nullable Instant newFlakySince, Instant at) {
        healthSince = newHealth == health ? healthSince : at;
        health = newHealth;
        flakySince = newFlakySince;
    }

    void setTaints(List<Taint> newTaints) {
        taints = List.copyOf(newTaints);
        eviction = eviction == null && evicts() ? new NodeEviction(this) : eviction;
    }

    private boolean evicts() {
        return taints.stream().anyMatch(taint -> taint.effect() == TaintEffect.NO_EXECUTE);
    }

    /**
     * Sets the timer at which tasks must leave, after a change of its taints or after its tasks were restored. A task
     * that is placed there later need not leave.
     */
    void updateEviction(Timers timers) {
        if (eviction != null) {
            eviction.update(timers);
            eviction = evicts() ? eviction : null;
        }
    }

    /** Sets the timer at which tasks must leave, when a task ends or is asked to stop. */
    void leftBy(Task task, Timers timers) {
        if (eviction != null) {
            eviction.left(task, timers);
        }
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

    /** Releases a reserved task, which may start now. */
    void release(Task task) {
        reserved.remove(task);
        occupied = Vectors.add(occupied, task.demand(), 1);
    }

    /** Frees the capacity of a preempted task, which stays on the node until it has ended. */
    void preempt(Task task) {
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
