package dev.sluice.core.state;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Applies task events: allocations, starts, stops, ends and drops. Updates everything that counts tasks: node, group,
 * application and queues.
 */
final class Tasks {

    private final Usage usage;
    private final Demand demand;
    private final DurationHistory durations;
    private final Timers timers;
    private final Changes changes;
    private final Reservations reservations;
    private long placements;

    Tasks(
            Usage usage,
            Demand demand,
            DurationHistory durations,
            Timers timers,
            Changes changes,
            Reservations reservations) {
        this.usage = usage;
        this.demand = demand;
        this.durations = durations;
        this.timers = timers;
        this.changes = changes;
        this.reservations = reservations;
    }

    /** Returns the number of allocations ever made. */
    long placements() {
        return placements;
    }

    /** Writes the number of allocations; the tasks are written with their groups. */
    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(placements);
    }

    void readFrom(PartitionCheckpointReader in) {
        placements = in.source().number();
    }

    /** Sets the number of allocations ever made. */
    void restore(long newPlacements) {
        placements = newPlacements;
    }

    /** Sets the timer of tasks that must leave a node, after its tasks were restored. */
    void restoreEviction(Node node) {
        node.updateEviction(timers);
    }

    void place(TaskGroup group, int index, Node node, boolean reserved, Instant at) {
        Application application = group.application();
        Task task = group.place(index, node, placements++, reserved, at);
        node.add(task);
        application.countPlaced(task);
        usage.updateToRoot(application.queue(), at);
        demand.countStarted(group);
        if (!application.isActive()) {
            application.setActive(true);
            application.queue().countActive(1);
        }
        changes.placed(task);
    }

    void release(Task task) {
        task.node().release(task);
        task.released();
    }

    void started(Task task, Instant at) {
        TaskGroup group = task.group();
        if (task.isReserved()) {
            task.node().release(task);
        }
        boolean wasMet = group.has(TaskCondition.STARTED);
        group.started(task.index());
        task.started(at);
        setTimeout(task, at);
        if (!reservations.isEmpty()) {
            changes.touch(task.node()); // its expected end counts from now on
        }
        if (!wasMet) {
            demand.notifyDependents(group, TaskCondition.STARTED);
        }
    }

    /** Sets the timer of a running task; the time in which it was suspended does not count. */
    private void setTimeout(Task task, Instant at) {
        Instant started = task.startedAt();
        Duration timeout = task.timeout();
        if (started != null && timeout != null && task.state() == TaskState.RUNNING) {
            timers.set(task, started.plus(task.suspendedTime(at)), timeout);
        }
    }

    void suspended(Task task, Instant at) {
        timers.cancel(task);
        task.suspended(at);
        changes.touch(task.node());
        task.application().countSuspended(1);
    }

    void resumed(Task task, Instant at) {
        task.resumed(at);
        changes.touch(task.node());
        task.application().countSuspended(-1);
        setTimeout(task, at);
    }

    void stopping(Task task, StopReason reason, Instant at) {
        boolean wasPreempting = task.isPreempting();
        boolean wasForMaximum = task.isPreemptingForMaximum();
        boolean wasReserved = task.isReserved();
        boolean wasStopping = task.state() == TaskState.STOPPING;
        task.application().countSuspended(task.isSuspended() ? -1 : 0);
        task.application().countStop(reason);
        task.stopping(reason);
        timers.cancel(task);
        task.node().leftBy(task, timers);
        int change = (task.state() == TaskState.STOPPING ? 1 : 0) - (wasStopping ? 1 : 0);
        if (change != 0) {
            task.application().queue().countStopping(change);
        }
        if (wasReserved) {
            task.node().release(task);
        }
        if (task.isPreemptingForMaximum() != wasForMaximum) {
            task.group().countPreemptingForMaximum(wasForMaximum ? -1 : 1);
        }
        if (task.isPreempting() && !wasPreempting) {
            task.node().preempt(task);
            task.application().countPreempting(task);
            task.group().countPreempting();
            usage.updateToRoot(task.application().queue(), at);
            task.application().queue().countReleased(task.demand());
            task.application().queue().countPreempting(1);
            changes.touch(task.node());
        }
        changes.touch(task.application());
    }

    void ended(Task task, TaskOutcome outcome, boolean again, @Nullable Instant retryAt, Instant at) {
        timers.cancel(task);
        task.application().countSuspended(task.isSuspended() ? -1 : 0);
        countDuration(task, outcome, at);
        TaskGroup group = task.group();
        int pendingBefore = group.pending();
        group.ended(task, outcome, again);
        if (retryAt != null) {
            timers.add(group.delay(task.index()), retryAt);
        }
        task.node().remove(task);
        task.node().leftBy(task, timers);
        group.application().countEnded(task, outcome, again);
        if (task.isPreempting()) {
            group.application().queue().countPreempting(-1);
        } else {
            if (task.state() == TaskState.STOPPING) {
                group.application().queue().countStopping(-1);
            }
            usage.updateToRoot(group.application().queue(), at);
            group.application().queue().countReleased(task.demand());
        }
        demand.add(task, -1);
        if (again) {
            demand.add(group, 1);
        }
        demand.countPending(group, group.pending() - pendingBefore);
        changes.ended(task);
        if (outcome == TaskOutcome.SUCCEEDED) {
            demand.notifyDependents(group, TaskCondition.SUCCEEDED);
        }
    }

    /** Makes a task pending whose retry delay has passed. */
    void retryDue(TaskGroup group, int index) {
        DelayedTask delayed = group.delayed(index);
        if (delayed == null) {
            throw new IllegalStateException("task " + group.taskId(index) + " of " + group + " is in no delay");
        }
        int pendingBefore = group.pending();
        timers.cancel(delayed);
        group.retryDue(index);
        demand.countPending(group, group.pending() - pendingBefore);
    }

    /**
     * Counts the duration of a run that finished or timed out, without the time in which it was suspended. A run that
     * ended at the time at which it was reported as started is not counted, because it looks like one of which only the
     * end was reported.
     */
    private void countDuration(Task task, TaskOutcome outcome, Instant at) {
        boolean finished = outcome == TaskOutcome.SUCCEEDED || outcome == TaskOutcome.TIMED_OUT;
        Instant started = task.startedAt();
        if (finished && started != null && started.plus(task.suspendedTime(at)).isBefore(at)) {
            durations.add(
                    task.group().runs(durations), Duration.between(started, at).minus(task.suspendedTime(at)));
        }
    }

    void dropUnallocated(TaskGroup group) {
        int pendingBefore = group.pending();
        group.delayed().forEach(timers::cancel);
        int dropped = group.dropUnallocated();
        countDropped(group, dropped, pendingBefore);
    }

    void drop(TaskGroup group, int index) {
        int pendingBefore = group.pending();
        DelayedTask delayed = group.delayed(index);
        if (delayed != null) {
            timers.cancel(delayed);
        }
        group.drop(index);
        countDropped(group, 1, pendingBefore);
    }

    private void countDropped(TaskGroup group, int dropped, int pendingBefore) {
        group.application().countDropped(dropped);
        demand.add(group, -dropped);
        demand.countPending(group, group.pending() - pendingBefore);
    }
}
