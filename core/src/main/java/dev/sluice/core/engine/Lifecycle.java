package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEviction;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Derives the consequences of task events for an application: its next state, retries, and tasks that can never run.
 */
final class Lifecycle {

    private final Emitter emitter;
    private final GangLifecycle gangs;

    /** Applications that have ended, whose dependents have yet to be told. */
    private final Deque<Application> ended = new ArrayDeque<>();

    private boolean notifying;

    Lifecycle(Emitter emitter) {
        this.emitter = emitter;
        this.gangs = new GangLifecycle(emitter, this);
    }

    GangLifecycle gangs() {
        return gangs;
    }

    /** Moves an application through the states that follow from its tasks until it reaches a stable one. */
    void updateState(Partition partition, Application application, Instant now) {
        ApplicationState next = nextState(application);
        while (next != null) {
            move(partition, application, next, "", now);
            next = nextState(application);
        }
    }

    /** Returns the state that the application must enter now, or null if it stays in its state. */
    private static @Nullable ApplicationState nextState(Application application) {
        boolean done = application.boundTasks() == 0 && application.unallocated() == 0;
        return switch (application.state()) {
            case NEW ->
                application.tasks() > 0
                        ? ApplicationState.ACCEPTED
                        : application.isSealed() ? ApplicationState.COMPLETING : null;
            case ACCEPTED ->
                application.allocations() > 0 ? ApplicationState.STARTING : done ? ApplicationState.FAILING : null;
            case STARTING -> hasStarted(application) ? ApplicationState.RUNNING : done ? end(application) : null;
            case RUNNING -> done ? end(application) : null;
            case COMPLETING ->
                !done ? ApplicationState.RUNNING : application.isSealed() ? ApplicationState.COMPLETED : null;
            case FAILING -> application.boundTasks() == 0 ? ApplicationState.FAILED : null;
            case RESUMING -> ApplicationState.ACCEPTED;
            case REJECTED, COMPLETED, FAILED, EXPIRED -> null;
        };
    }

    /**
     * Returns whether the application has finished starting: a second task was allocated, or its only task if it is
     * sealed with one task. A sealed application of one task must not block its queue until the starting timeout.
     */
    private static boolean hasStarted(Application application) {
        return application.isSecondTaskAllocated() || (application.isSealed() && application.tasks() == 1);
    }

    private static ApplicationState end(Application application) {
        return application.failed() + application.stopped() > 0
                ? ApplicationState.FAILING
                : ApplicationState.COMPLETING;
    }

    /**
     * Moves an application to another state. If that ends it, removes its queue if the queue is empty and is draining
     * or dynamic.
     */
    void move(Partition partition, Application application, ApplicationState to, String reason, Instant now) {
        String why = reason.isEmpty() ? reason(application, to) : reason;
        emitter.emit(new ApplicationEvent.StateChanged(
                partition.name(), application.id(), application.origin(), application.state(), to, why, now));
        if (to.isEnded() && to != ApplicationState.EXPIRED) {
            if (application.hasQueue()) {
                removeEmpty(partition, application.queue(), now);
            }
            ended.add(application);
            notifyAwaiting(partition, now);
        }
    }

    /**
     * Ends the dependencies on ended applications, one after the other, because each may end further ones: dependents
     * whose condition is not met are cancelled.
     */
    private void notifyAwaiting(Partition partition, Instant now) {
        if (notifying) {
            return;
        }
        notifying = true;
        while (!ended.isEmpty()) {
            Application awaited = ended.remove();
            for (Application dependent : partition.awaiting(awaited)) {
                ApplicationCondition condition = dependent.awaited().get(awaited.id());
                emitter.emit(new ApplicationEvent.DependencyEnded(
                        partition.name(), dependent.id(), dependent.origin(), awaited.id(), now));
                if (condition != null) {
                    cancelUnlessMet(partition, dependent, awaited, condition, now);
                }
            }
        }
        notifying = false;
    }

    /** Cancels an application that depends on an ended one, unless that one ended as required. */
    void cancelUnlessMet(
            Partition partition,
            Application dependent,
            Application awaited,
            ApplicationCondition condition,
            Instant now) {
        if (!condition.isMetBy(awaited.state())) {
            String reason =
                    "application " + awaited.id() + " ended " + awaited.state().wireName()
                            + "; this application starts only after it has " + condition.wireName();
            cancelIfLive(partition, dependent, reason, now);
        }
    }

    /** Cancels an application, unless it has ended or is failing. */
    void cancelIfLive(Partition partition, Application application, String reason, Instant now) {
        if (!application.state().isEnded() && application.state() != ApplicationState.FAILING) {
            fail(partition, application, StopReason.CANCELLED, reason, now);
        }
    }

    /**
     * Returns the default reason for a state change; a failed application keeps the reason for which it was failing.
     */
    private static String reason(Application application, ApplicationState to) {
        return switch (to) {
            case FAILING -> summary(application);
            case FAILED -> application.stateReason();
            default -> "";
        };
    }

    private static String summary(Application application) {
        return application.failed() > 0
                ? application.failed() + " of " + application.tasks() + " tasks failed"
                : application.stopped() + " of " + application.tasks() + " tasks were stopped";
    }

    /** Removes a queue, and then those above it, that is empty and is draining or dynamic. */
    void removeEmpty(Partition partition, Queue leaf, Instant now) {
        Queue queue = leaf;
        while (queue != null
                && queue.parent() != null
                && (queue.isDraining() || queue.isDynamic())
                && queue.children().isEmpty()
                && queue.applications().isEmpty()
                && partition.queues().find(queue.path()) == queue) {
            Queue above = queue.parent();
            emitter.emit(new PartitionEvent.QueueRemoved(partition.name(), queue.path(), now));
            queue = above;
        }
    }

    /**
     * Ends one run of a task: decides whether the task runs again, drops dependents that can never run, and updates the
     * application.
     */
    void taskEnded(
            Partition partition,
            Task task,
            TaskOutcome reported,
            @Nullable Integer exitCode,
            String detail,
            Instant now) {
        Application application = task.application();
        TaskGroup group = task.group();
        TaskOutcome outcome = outcome(task, reported);
        boolean interrupted = outcome == TaskOutcome.LOST || runsAgain(task);
        boolean mayRunAgain = mayRunAgain(task, outcome, exitCode);
        boolean again = mayRunAgain && application.state() != ApplicationState.FAILING;
        boolean restarts = application.gang() != null && application.gang().isRestarting();
        if (outcome == TaskOutcome.SUCCEEDED && task.startedAt() == null) {
            emitter.emit(new TaskEvent.Started(task.allocation(), now));
        }
        emitter.emit(new TaskEvent.Ended(
                task.allocation(),
                outcome,
                exitCode,
                mayRunAgain ? detail : finalDetail(task, outcome, exitCode, detail),
                again,
                again ? retryAt(task, outcome, now) : null,
                task.hasFormerKind() ? task.kind().resources() : null,
                now));
        releaseReserved(partition, task.node(), now);
        restarts |= again && gangs.restart(partition, group, now);
        if (((interrupted && again) || restarts)
                && application.boundTasks() == 0
                && application.unallocated() > 0
                && hasStartedTasks(application)) {
            String why = restarts ? "its gang starts again" : "all its tasks were lost or preempted";
            move(partition, application, ApplicationState.RESUMING, why, now);
        }
        tasksGone(partition, group, now);
        updateState(partition, application, now);
    }

    /** Returns whether a task may run again after this outcome. Preemption and withdrawal do not count as attempts. */
    private static boolean mayRunAgain(Task task, TaskOutcome outcome, @Nullable Integer exitCode) {
        TaskGroup group = task.group();
        Attempts attempts = group.kind().attempts();
        return switch (outcome) {
            case FAILED, TIMED_OUT -> hasRetries(task) && attempts.retries().permits(exitCodeOf(outcome, exitCode));
            case LOST -> group.losses(task.index()) < attempts.lostRetries();
            case STOPPED -> runsAgain(task);
            case SUCCEEDED -> false;
        };
    }

    private static boolean hasRetries(Task task) {
        TaskGroup group = task.group();
        return group.failures(task.index()) < group.kind().attempts().retries().times();
    }

    /** Returns the exit code of a run that ended by itself: that of one that was stopped says nothing. */
    private static @Nullable Integer exitCodeOf(TaskOutcome outcome, @Nullable Integer exitCode) {
        return outcome == TaskOutcome.TIMED_OUT ? null : exitCode;
    }

    /** Returns when a task that runs again after this outcome is pending, or null if it is at once. */
    private static @Nullable Instant retryAt(Task task, TaskOutcome outcome, Instant now) {
        Retries retries = task.group().kind().attempts().retries();
        if (!outcome.isOwnFailure() || retries.delay().isZero()) {
            return null;
        }
        return now.plus(retries.delayBefore(task.group().failures(task.index()) + 1));
    }

    /** Returns the detail of a run after which the task does not run again. */
    private static String finalDetail(Task task, TaskOutcome outcome, @Nullable Integer exitCode, String detail) {
        if (outcome == TaskOutcome.LOST) {
            return lostTooOften(task.group());
        }
        Retries retries = task.group().kind().attempts().retries();
        boolean unlisted = outcome.isOwnFailure() && !retries.permits(exitCodeOf(outcome, exitCode));
        return unlisted && hasRetries(task)
                ? (detail.isEmpty() ? "" : detail + "; ") + "not retried: exitcodes does not list it"
                : detail;
    }

    private static String lostTooOften(TaskGroup group) {
        int lostRetries = group.kind().attempts().lostRetries();
        return lostRetries == 0
                ? "lost; not retried because lostretries is 0"
                : "lost " + (lostRetries + 1L) + " times, more than lostretries (" + lostRetries
                        + ") allows; the task itself may crash its nodes";
    }

    static boolean hasStartedTasks(Application application) {
        return application.state() == ApplicationState.STARTING || application.state() == ApplicationState.RUNNING;
    }

    /**
     * Returns the actual outcome of a run: a task that was asked to stop counts as stopped or timed out, whatever was
     * reported, unless it succeeded.
     */
    private static TaskOutcome outcome(Task task, TaskOutcome reported) {
        StopReason reason = task.stopReason();
        if (reported == TaskOutcome.SUCCEEDED || reason == null) {
            return reported;
        }
        return reason == StopReason.TIMEOUT ? TaskOutcome.TIMED_OUT : TaskOutcome.STOPPED;
    }

    /**
     * Handles tasks of a group that failed or were stopped for good: fails the application if its failure policy is
     * {@code stop}, otherwise drops the tasks that can never run.
     */
    void tasksGone(Partition partition, TaskGroup group, Instant now) {
        Application application = group.application();
        if (application.state() == ApplicationState.FAILING || group.failed() + group.stopped() == 0) {
            return;
        }
        if (group.failed() > 0
                && application.spec().onFailure() == FailurePolicy.STOP
                && hasStartedTasks(application)) {
            fail(partition, application, StopReason.APPLICATION_FAILED, group.name() + " failed", now);
            return;
        }
        dropDependents(partition, group, now);
    }

    /** Drops all tasks whose dependency on this group can no longer be met, transitively. */
    private void dropDependents(Partition partition, TaskGroup group, Instant now) {
        Deque<TaskGroup> unsatisfiable = new ArrayDeque<>();
        unsatisfiable.add(group);
        while (!unsatisfiable.isEmpty()) {
            TaskGroup awaited = unsatisfiable.remove();
            for (TaskGroup.Dependent dependent : awaited.dependents()) {
                if (awaited.cannotMeet(dependent.condition())
                        && dependent.group().unallocated() > 0) {
                    drop(partition, dependent.group(), awaited, dependent.condition(), now);
                    unsatisfiable.add(dependent.group());
                }
            }
        }
    }

    /** Drops the tasks of newly added groups whose dependencies can no longer be met. */
    void dropUnsatisfiable(Partition partition, Application application, int firstGroup, Instant now) {
        List<TaskGroup> groups = application.groups();
        for (TaskGroup group : groups.subList(firstGroup, groups.size())) {
            for (Map.Entry<String, TaskCondition> after : group.kind().after().entrySet()) {
                TaskGroup awaited = application.group(after.getKey());
                if (awaited != null && awaited.cannotMeet(after.getValue()) && group.unallocated() > 0) {
                    drop(partition, group, awaited, after.getValue(), now);
                    dropDependents(partition, group, now);
                }
            }
        }
    }

    private void drop(Partition partition, TaskGroup group, TaskGroup awaited, TaskCondition condition, Instant now) {
        String reason = "dependency " + awaited.name()
                + (condition == TaskCondition.STARTED ? " cannot start any more" : " cannot succeed any more");
        emitter.emit(new ApplicationEvent.TasksDropped(
                partition.name(), group.application().id(), group.application().origin(), group.name(), reason, now));
    }

    /** Fails an application: drops its unallocated tasks and stops its allocated ones. */
    void fail(Partition partition, Application application, StopReason stopReason, String reason, Instant now) {
        move(partition, application, ApplicationState.FAILING, reason, now);
        for (TaskGroup group : application.groups()) {
            if (group.unallocated() > 0) {
                emitter.emit(new ApplicationEvent.TasksDropped(
                        partition.name(), application.id(), application.origin(), group.name(), reason, now));
            }
        }
        for (TaskGroup group : application.groups()) {
            for (Task task : group.placed()) {
                stop(partition, task, stopReason, now);
            }
        }
        updateState(partition, application, now);
    }

    private static boolean runsAgain(Task task) {
        StopReason reason = task.stopReason();
        return reason != null && reason.runsAgain();
    }

    /**
     * Withdraws all reservations on a node that accepts no tasks any more. The tasks become pending again as if they
     * were never allocated.
     */
    void withdrawReserved(Partition partition, Node node, Instant now) {
        withdraw(partition, node, task -> true, now);
    }

    /**
     * Withdraws the reservations on a node whose labels or taints have changed of tasks that may not start there any
     * more.
     */
    void withdrawExcluded(Partition partition, Node node, Instant now) {
        withdraw(partition, node, task -> !mayStartOn(node, task), now);
    }

    private void withdraw(Partition partition, Node node, Predicate<Task> which, Instant now) {
        for (Task task : node.reserved()) {
            // stopping an earlier task may have ended this one, too
            if (task.isReserved() && which.test(task)) {
                stop(partition, task, StopReason.WITHDRAWN, now);
            }
        }
    }

    private static boolean mayStartOn(Node node, Task task) {
        return task.kind().constraints().permits(node.name(), node.labels(), node.taints());
    }

    /** Stops the tasks that must leave a node because of its taints. */
    void evict(Partition partition, NodeEviction eviction, Instant now) {
        for (Task task : eviction.due(now)) {
            if (task.stopReason() == null) { // stopping an earlier task may have stopped this one, too
                stop(partition, task, StopReason.TAINT, now);
            }
        }
    }

    /**
     * Releases the reserved tasks of a node whose capacity is now free, in the order of their allocation, so that they
     * can start. Tasks that may not start there any more remain, to be withdrawn.
     */
    void releaseReserved(Partition partition, Node node, Instant now) {
        for (Task task : node.reserved()) {
            if (!node.mustReserve(task.demand()) && mayStartOn(node, task)) {
                emitter.emit(new TaskEvent.Released(task.allocation(), now));
            }
        }
    }

    /** Asks a task to stop that nothing replaces; see {@link #preempt}. */
    void stop(Partition partition, Task task, StopReason reason, Instant now) {
        preempt(partition, task, reason, null, now);
    }

    /**
     * Asks a task to stop, unless it is already stopping. A stop by a user replaces the reason of an earlier timeout,
     * preemption, taint or loss in a gang, so that the task does not run again. A reserved task has no process to stop
     * and ends at once.
     *
     * @param beneficiary the task that takes its place, or null
     */
    void preempt(Partition partition, Task task, StopReason reason, @Nullable TaskRef beneficiary, Instant now) {
        boolean reserved = task.isReserved();
        StopReason former = task.stopReason();
        boolean overruled = reason == StopReason.STOPPED
                && former != null
                && (former == StopReason.TIMEOUT
                        || former == StopReason.TAINT
                        || former == StopReason.GANG
                        || former.isPreemption());
        if (former == null || overruled) {
            emitter.emit(new TaskEvent.Stopping(task.allocation(), reason, beneficiary, now));
        }
        if (reserved) {
            taskEnded(partition, task, TaskOutcome.STOPPED, null, "not started yet", now);
        }
    }
}
