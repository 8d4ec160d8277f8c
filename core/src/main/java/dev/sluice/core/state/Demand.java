package dev.sluice.core.state;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.ResourceTypes;
import java.time.Instant;

/**
 * The demand of a partition: the resources requested by all its unfinished tasks. Also updates the pending counts of
 * applications and queues.
 */
final class Demand {

    private final ResourceTypes types;
    private final Changes changes;
    private final Timers timers;
    private long[] total = Vectors.empty();
    private Instant now = Instant.EPOCH;
    private boolean anyUnpreemptible;

    Demand(ResourceTypes types, Changes changes, Timers timers) {
        this.types = types;
        this.changes = changes;
        this.timers = timers;
    }

    /** Sets the time of the event that is applied. */
    void setTime(Instant at) {
        now = at;
    }

    /** Returns the resources of one task of this specification, slots included, as a vector. */
    long[] of(TaskSpec task) {
        long[] vector = types.vector(task.resources(), 0);
        long[] demand = vector.length == 0 ? new long[1] : vector;
        demand[ResourceTypes.SLOTS_INDEX] = 1;
        return demand;
    }

    /** Returns whether there may be tasks that are never preempted. */
    boolean mayHaveUnpreemptible() {
        return anyUnpreemptible;
    }

    /** Returns the resources of all unfinished tasks together, as a vector. Must not be modified. */
    long[] total() {
        return total;
    }

    /** Changes the number of unfinished tasks of a group, not allocated ones, by this difference. */
    void add(TaskGroup group, int tasks) {
        total = Vectors.add(total, group.demand(), tasks);
        anyUnpreemptible |= !group.kind().attempts().preemptible();
    }

    /** Adds an allocated task, or subtracts it for -1. */
    void add(Task task, int sign) {
        total = Vectors.add(total, task.demand(), sign);
    }

    /** Called when a pending task of this group was allocated. */
    void countStarted(TaskGroup group) {
        Application application = group.application();
        application.countPending(-1, now);
        application.queue().countStarted(group.demand());
        updateGang(application);
        changes.touch(group);
    }

    /** Changes the number of pending tasks of a group by this difference. */
    void countPending(TaskGroup group, int change) {
        if (change != 0) {
            group.application().countPending(change, now);
            group.application().queue().countPending(group.demand(), change);
        }
        updateGang(group.application());
        changes.touch(group);
    }

    /** Sets the timer of the gang of an application, whose pending tasks or state have changed. */
    void updateGang(Application application) {
        if (application.gang() != null) {
            application.gang().update(timers);
        }
    }

    /** Notifies the dependents of a group that it has met a condition. Happens once for each condition. */
    void notifyDependents(TaskGroup group, TaskCondition condition) {
        if (!group.has(condition)) {
            return;
        }
        for (TaskGroup.Dependent dependent : group.dependents()) {
            if (dependent.condition() == condition && dependent.group().conditionMet()) {
                countPending(dependent.group(), dependent.group().pending());
            }
        }
    }
}
