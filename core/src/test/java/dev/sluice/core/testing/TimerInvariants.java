package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.isTrue;
import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Timer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Invariants of timers: each belongs to a node, application, task or queue that needs it, and none is missing. */
final class TimerInvariants {

    private final Partition partition;
    private final Set<Task> placed;
    private final List<Timer> due = new ArrayList<>();

    /** Creates the invariants of a partition with these tasks on nodes. */
    TimerInvariants(Partition partition, Set<Task> placed) {
        this.partition = partition;
        this.placed = placed;
    }

    void check() {
        addNodes();
        addApplications();
        addTasks();
        addDelayedTasks();
        addQueues();
        Collections.sort(due);
        same(partition.name(), "timers", List.copyOf(partition.timers()), due);
        same(partition.name(), "next timer", partition.nextTimer(), due.isEmpty() ? null : due.get(0));
    }

    private void addNodes() {
        for (Node node : partition.nodes()) {
            Instant flakySince = node.flakySince();
            isTrue(node, "a flaky time while flaky", node.health() != NodeHealth.FLAKY || flakySince != null);
            isTrue(node, "no flaky time while ready", node.health() != NodeHealth.READY || flakySince == null);
            if (node.health() == NodeHealth.LOST) {
                due.add(new Timer(later(node.healthSince(), SchedulerLimits.LOST_MAX), node));
            } else if (node.health() == NodeHealth.FLAKY && flakySince != null) {
                due.add(new Timer(later(flakySince, SchedulerLimits.FLAKY_MAX), node));
            }
            node.tasks().stream()
                    .map(node::leavesAt)
                    .filter(Objects::nonNull)
                    .min(Comparator.naturalOrder())
                    .ifPresent(leaves -> due.add(new Timer(leaves, Objects.requireNonNull(node.eviction()))));
        }
    }

    private void addApplications() {
        for (Application application : partition.applications()) {
            Duration stay = switch (application.state()) {
                case STARTING -> SchedulerLimits.STARTING_MAX;
                case COMPLETING -> SchedulerLimits.COMPLETING_MAX;
                case REJECTED, COMPLETED, FAILED -> SchedulerLimits.ENDED_RETENTION;
                case NEW, ACCEPTED, RUNNING, FAILING, EXPIRED, RESUMING -> null;
            };
            Instant notBefore = application.notBefore();
            if (stay != null) {
                due.add(new Timer(later(application.stateSince(), stay), application));
            } else if (notBefore != null
                    && (application.state() == ApplicationState.NEW
                            || application.state() == ApplicationState.ACCEPTED)) {
                due.add(new Timer(notBefore, application));
            }
            addGang(application);
        }
    }

    private void addGang(Application application) {
        Gang gang = application.spec().gang();
        GangProgress progress = application.gang();
        Instant since = application.pendingSince();
        if (gang != null && progress != null && since != null && application.state() == ApplicationState.ACCEPTED) {
            boolean anyMember = gang.tasks().keySet().stream()
                    .map(application::group)
                    .anyMatch(group -> group != null && group.unallocated() > 0);
            if (anyMember && !progress.isTimedOut()) {
                Instant accepted = application.stateSince();
                due.add(new Timer(later(accepted.isAfter(since) ? accepted : since, gang.timeout()), progress));
            }
        }
    }

    private void addTasks() {
        for (Task task : placed) {
            Duration timeout = task.timeout();
            Instant started = task.startedAt();
            if (timeout != null && started != null && task.state() == TaskState.RUNNING) {
                Duration suspended = task.suspendedTime(started); // complete, because the task is running
                due.add(new Timer(later(later(started, suspended), timeout), task));
            }
        }
    }

    private void addDelayedTasks() {
        for (Application application : partition.applications()) {
            for (TaskGroup group : application.groups()) {
                group.delayed().forEach(task -> due.add(new Timer(task.retryAt(), task)));
            }
        }
    }

    private void addQueues() {
        for (Queue queue : partition.queues().all()) {
            Instant since = queue.overThresholdSince();
            if (since != null && !queue.isRebalanceDue()) {
                isTrue(queue, "over the threshold only if it rebalances", queue.rebalances());
                Duration most = queue.configuration().properties().load().rebalanceMinimumDuration();
                due.add(new Timer(later(since, most), queue));
            }
        }
    }

    private static Instant later(Instant from, Duration duration) {
        try {
            return from.plus(duration);
        } catch (ArithmeticException | DateTimeException e) {
            return Instant.MAX;
        }
    }
}
