package dev.sluice.core.state;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.ResourceTypes;

/**
 * The demand of a partition: the resources requested by all its unfinished tasks. Also updates the pending counts of
 * applications and queues.
 */
final class Demand {

    private final ResourceTypes types;
    private final Changes changes;
    private long[] total = Vectors.empty();

    Demand(ResourceTypes types, Changes changes) {
        this.types = types;
        this.changes = changes;
    }

    /** Returns the resources of one task of this specification, slots included, as a vector. */
    long[] of(TaskSpec task) {
        long[] vector = types.vector(task.resources(), 0);
        long[] demand = vector.length == 0 ? new long[1] : vector;
        demand[ResourceTypes.SLOTS_INDEX] = 1;
        return demand;
    }

    /** Returns the resources of all unfinished tasks together, as a vector. Must not be modified. */
    long[] total() {
        return total;
    }

    /** Changes the number of unfinished tasks of a group, not allocated ones, by this difference. */
    void add(TaskGroup group, int tasks) {
        total = Vectors.add(total, group.demand(), tasks);
    }

    /** Adds an allocated task, or subtracts it for -1. */
    void add(Task task, int sign) {
        total = Vectors.add(total, task.demand(), sign);
    }

    /** Called when a pending task of this group was allocated. */
    void countStarted(TaskGroup group) {
        Application application = group.application();
        application.countPending(-1);
        application.queue().countStarted(group.demand());
        changes.touch(group);
    }

    /** Changes the number of pending tasks of a group by this difference. */
    void countPending(TaskGroup group, int change) {
        if (change != 0) {
            group.application().countPending(change);
            group.application().queue().countPending(group.demand(), change);
        }
        changes.touch(group);
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
