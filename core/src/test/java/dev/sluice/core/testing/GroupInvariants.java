package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.same;
import static dev.sluice.core.testing.StateAssertions.yes;

import dev.sluice.core.application.TaskState;
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
        yes(group, "the expected duration asked for", expected.isZero() || expected.equals(group.expectedDuration()));
        same(group, "waiting", group.isWaiting(), !isFree(group));
        same(
                group,
                "all of its tasks",
                group.unallocated() + group.allocatedCount() + group.succeeded() + group.failed() + group.stopped(),
                size);
        yes(group, "no count below 0", group.unallocated() >= 0 && group.failed() >= 0 && group.stopped() >= 0);
        yes(group, "as many started", group.startedOnce() >= group.succeeded() && group.startedOnce() <= size);
        same(group, "placed", group.placed().size(), group.allocatedCount());
        for (Task task : group.placed()) {
            yes(task, "placed once", placed.add(task));
            same(task, "group", task.group(), group);
            same(task, "found by index", group.placed(task.index()), task);
            yes(task, "not unplaced", !group.isUnallocated(task.index()));
            yes(task, "an attempt more", task.attempt() == group.attempts(task.index()) + 1);
            yes(task, "on a node that is there", partition.node(task.node().name()) == task.node());
            yes(task, "listed by its node", task.node().tasks().contains(task));
            yes(
                    task,
                    "a reason to stop",
                    (task.state() == TaskState.STOPPING || task.isPreempting()) == (task.stopReason() != null));
            Duration own = group.spec().attempts().timeout();
            yes(task, "its own timeout", task.startedAt() == null || own == null || own.equals(task.timeout()));
            yes(task, "no timeout before it started", task.startedAt() != null || task.timeout() == null);
            yes(task, "started", task.state() != TaskState.RUNNING || task.startedAt() != null);
        }
        for (int index = 0; index < Math.min(size, StateText.LISTED_MAX); index++) {
            yes(
                    group,
                    "as many failures and losses as are allowed",
                    group.failures(index) <= group.spec().attempts().retries()
                            && group.losses(index) <= group.spec().attempts().lostRetries());
        }
        if (size <= StateText.LISTED_MAX) {
            int unallocated = 0;
            int first = -1;
            for (int index = size - 1; index >= 0; index--) {
                if (group.isUnallocated(index)) {
                    unallocated++;
                    first = index;
                }
            }
            same(group, "unplaced", group.unallocated(), unallocated);
            if (unallocated > 0) {
                same(group, "the next one", group.nextIndex(), first);
            }
        }
    }

    /** Returns the number of allocated tasks of a group, without preempting ones. */
    static int holding(TaskGroup group) {
        return (int)
                group.placed().stream().filter(task -> !task.isPreempting()).count();
    }

    /** Whether all dependencies are met. */
    static boolean isFree(TaskGroup group) {
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
