package dev.sluice.core.state;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.ResourceTypes;

/**
 * What the tasks of a partition ask for that have not ended, and how much of that is pending. The sum is kept here; what is pending is
 * counted in applications and queues.
 */
final class Demand {

    private final ResourceTypes types;
    private final Changes changes;
    private long[] total = Vectors.empty();

    Demand(ResourceTypes types, Changes changes) {
        this.types = types;
        this.changes = changes;
    }

    /** What a task of this specification takes, slots included, as a vector. */
    long[] of(TaskSpec task) {
        long[] vector = types.vector(task.resources(), 0);
        long[] demand = vector.length == 0 ? new long[1] : vector;
        demand[ResourceTypes.SLOTS_INDEX] = 1;
        return demand;
    }

    /** What all tasks that have not ended ask for together, as a vector; not to be changed. */
    long[] total() {
        return total;
    }

    /** So many more tasks of this group have not ended; fewer if that is below 0. */
    void add(TaskGroup group, int tasks) {
        total = Vectors.add(total, group.demand(), tasks);
    }

    /** A task of this group that was pending holds a place now. */
    void countStarted(TaskGroup group) {
        Application application = group.application();
        application.countPending(-1);
        application.queue().countStarted(group.demand());
        changes.touch(group);
    }

    /** So many more tasks of this group are pending; fewer if that is below 0. */
    void countPending(TaskGroup group, int change) {
        if (change != 0) {
            group.application().countPending(change);
            group.application().queue().countPending(group.demand(), change);
        }
        changes.touch(group);
    }

    /** Tells those that wait for it if a group has come to meet a condition; it comes to that once. */
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
