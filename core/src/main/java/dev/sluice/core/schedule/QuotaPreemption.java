package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a cycle in which tasks are preempted because their queue uses more than its maximum, which was lowered.
 *
 * <p>Nobody benefits. A queue must have used more than its maximum for its delay. Then started tasks become victims in
 * the order of {@link PreemptionScope#compare} until it is within its maximum, except protected ones and those without
 * which a queue would fall below its guaranteed resources. Victims without which the queue would not use more are
 * spared, the last first.
 *
 * <p>The queues are examined only after something has changed, or when a delay or a protection ends.
 */
public final class QuotaPreemption {

    private final Partition partition;
    private List<Queue> limited = List.of();
    private boolean queuesChanged = true;
    private boolean changed = true;
    private @Nullable Instant due;

    QuotaPreemption(Partition partition) {
        this.partition = partition;
    }

    /** Called when events have changed the state. */
    void stateChanged(boolean queues) {
        changed = true;
        queuesChanged |= queues;
    }

    /** Returns when tasks may be preempted without any event, or null. */
    @Nullable Instant due() {
        return due;
    }

    /**
     * Returns the queues that use more than their maximum and preempt tasks for that, each after those below it; none
     * if that was found before and nothing has changed.
     */
    public List<Queue> exceeded(Instant now) {
        if (!partition.configuration().quotaPreemption()) {
            due = null;
            return List.of();
        }
        if (!changed && (due == null || due.isAfter(now))) {
            return List.of();
        }
        changed = false;
        due = null;
        if (queuesChanged) {
            queuesChanged = false;
            limited = new ArrayList<>(partition.queues().all());
            limited.removeIf(queue -> !queue.isMaximumEnforced());
            Collections.reverse(limited);
        }
        return limited.stream().filter(Queue::exceedsMaximum).toList();
    }

    /** Returns the tasks to preempt so that a queue is within its maximum, or closer to it; none before its delay. */
    public List<Task> victims(Queue queue, Instant now) {
        Instant from = queue.quotaPreemptionDue();
        if (from == null || from.isAfter(now)) {
            wake(from);
            return List.of();
        }
        PreemptionScope scope = PreemptionScope.ofQuota(queue, partition);
        List<Task> candidates = new ArrayList<>();
        collect(queue, now, candidates);
        candidates.sort(scope::compare);
        Removed removed = new Removed();
        List<Task> victims = new ArrayList<>();
        for (Task task : candidates) {
            if (lowersExcess(queue, task, removed)) {
                removed.add(task, 1);
                if (removed.keepsGuarantees(queue, Vectors.empty())) {
                    victims.add(task);
                } else {
                    removed.add(task, -1);
                }
            }
        }
        for (int i = victims.size() - 1; i >= 0; i--) {
            removed.add(victims.get(i), -1);
            if (lowersExcess(queue, victims.get(i), removed)) {
                removed.add(victims.get(i), 1);
            } else {
                victims.remove(i);
            }
        }
        return victims;
    }

    /** Returns whether a queue exceeds its maximum by less without this task, besides those that were removed. */
    private static boolean lowersExcess(Queue queue, Task task, Removed removed) {
        for (int type = 0; type < queue.max().length; type++) {
            if (task.demand(type) > 0
                    && queue.max(type) != Long.MAX_VALUE
                    && queue.allocated(type) - removed.amount(queue, type) > queue.max(type)) {
                return true;
            }
        }
        return false;
    }

    private void collect(Queue queue, Instant now, List<Task> into) {
        queue.children().forEach(child -> collect(child, now, into));
        for (Application application : queue.applications()) {
            for (TaskGroup group : application.groups()) {
                for (Task task : group.placed()) {
                    if (task.stopReason() == null && task.startedAt() != null) {
                        Instant until = task.protectedUntil();
                        if (!until.isAfter(now)) {
                            into.add(task);
                        } else if (!until.equals(Instant.MAX)) {
                            wake(until);
                        }
                    }
                }
            }
        }
    }

    private void wake(@Nullable Instant at) {
        if (at != null && (due == null || at.isBefore(due))) {
            due = at;
        }
    }
}
