package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.isTrue;
import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.DelayedTask;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Invariants of task groups and of each of their tasks on a node. */
final class GroupInvariants {

    private final Partition partition;
    private final Set<Task> placed = Collections.newSetFromMap(new IdentityHashMap<>());

    GroupInvariants(Partition partition) {
        this.partition = partition;
    }

    /** The tasks on nodes, of all checked groups. */
    Set<Task> placed() {
        return placed;
    }

    void check(TaskGroup group) {
        int size = group.spec().size();
        Duration expected = group.spec().expectedDuration();
        isTrue(
                group,
                "the specified expected duration",
                expected.isZero() || expected.equals(group.expectedDuration()));
        same(group, "waiting", group.isWaiting(), !isUnblocked(group));
        same(
                group,
                "sum of all counts",
                group.unallocated() + group.allocatedCount() + group.succeeded() + group.failed() + group.stopped(),
                size);
        isTrue(group, "no negative count", group.unallocated() >= 0 && group.failed() >= 0 && group.stopped() >= 0);
        isTrue(
                group,
                "a consistent number of started tasks",
                group.startedOnce() >= group.succeeded() && group.startedOnce() <= size);
        same(group, "allocated", group.placed().size(), group.allocatedCount());
        for (Task task : group.placed()) {
            isTrue(task, "placed once", placed.add(task));
            same(task, "group", task.group(), group);
            same(task, "found by index", group.placed(task.index()), task);
            isTrue(task, "not marked as unallocated", !group.isUnallocated(task.index()));
            isTrue(task, "the next attempt number", task.attempt() == group.attempts(task.index()) + 1);
            isTrue(task, "on a registered node", partition.node(task.node().name()) == task.node());
            isTrue(task, "listed by its node", task.node().tasks().contains(task));
            isTrue(
                    task,
                    "a stop reason",
                    (task.state() == TaskState.STOPPING || task.isPreempting()) == (task.stopReason() != null));
            Duration own = task.kind().attempts().timeout();
            isTrue(
                    task,
                    "the specified timeout",
                    task.startedAt() == null || own == null || own.equals(task.timeout()));
            isTrue(task, "no timeout before its start", task.startedAt() != null || task.timeout() == null);
            isTrue(task, "started", task.state() != TaskState.RUNNING || task.startedAt() != null);
        }
        for (int index = 0; index < Math.min(size, StateText.LISTED_MAX); index++) {
            isTrue(
                    group,
                    "failures and losses within the limits",
                    group.failures(index) <= group.spec().attempts().retries().times()
                            && group.losses(index) <= group.spec().attempts().lostRetries());
        }
        for (DelayedTask task : group.delayed()) {
            isTrue(task, "unallocated", group.isUnallocated(task.index()));
            isTrue(task, "found by index", group.delayed(task.index()) == task);
        }
        same(group, "pending", group.pending(), pending(group));
        if (size <= StateText.LISTED_MAX) {
            int unallocated = 0;
            int first = -1;
            for (int index = size - 1; index >= 0; index--) {
                if (group.isUnallocated(index)) {
                    unallocated++;
                    first = group.delayed(index) == null ? index : first;
                }
            }
            same(group, "not allocated", group.unallocated(), unallocated);
            if (first >= 0) {
                same(group, "next index", group.nextIndex(), first);
            }
        }
    }

    /** Returns the number of allocated tasks of a group, without preempting ones. */
    static int allocatedCount(TaskGroup group) {
        return (int)
                group.placed().stream().filter(task -> !task.isPreempting()).count();
    }

    /** Adds the resources of allocated tasks, without preempting ones. */
    static void addAllocated(TaskGroup group, Sum allocated) {
        group.placed().stream().filter(task -> !task.isPreempting()).forEach(task -> allocated.add(task.demand(), 1));
    }

    /** Returns the number of tasks that could be allocated now. */
    static int pending(TaskGroup group) {
        return isUnblocked(group) ? group.unallocated() - group.delayed().size() : 0;
    }

    /** Whether all dependencies are met and the application is not held and may start. */
    static boolean isUnblocked(TaskGroup group) {
        if (group.application().isHeld()
                || group.application().notBefore() != null
                || !group.application().awaited().isEmpty()) {
            return false;
        }
        return group.spec().after().entrySet().stream().allMatch(entry -> {
            TaskGroup other = group.application().group(entry.getKey());
            if (other == null) {
                return false;
            }
            return switch (entry.getValue()) {
                case STARTED -> other.startedOnce() == other.spec().size();
                case SUCCEEDED -> other.succeeded() == other.spec().size();
            };
        });
    }
}
