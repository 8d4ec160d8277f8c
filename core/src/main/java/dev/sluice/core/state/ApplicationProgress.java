package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far an application has come since it was submitted: what a {@link StateRestorer} needs in place of its events.
 *
 * @param state its state
 * @param stateSince when it entered the state
 * @param sealed whether no more tasks can be added
 * @param allocations the number of allocations since it was last Accepted
 * @param groups the progress of its groups of tasks, in the order of their creation
 */
public record ApplicationProgress(
        ApplicationState state, Instant stateSince, boolean sealed, long allocations, List<Group> groups) {

    /** Copies the list. */
    public ApplicationProgress {
        groups = List.copyOf(groups);
    }

    /**
     * The progress of a group of tasks. Tasks that are neither ended nor allocated are pending.
     *
     * @param begun the index after the last task that was ever allocated; pending tasks before it are allocated again
     *     before any later task
     * @param ended the tasks that ended
     * @param allocated the tasks on nodes
     */
    public record Group(int begun, List<Ended> ended, List<Allocated> allocated) {

        /** Copies the lists. */
        public Group {
            ended = List.copyOf(ended);
            allocated = List.copyOf(allocated);
        }

        boolean isNone() {
            return begun == 0 && ended.isEmpty() && allocated.isEmpty();
        }

        /** Returns whether all indexes are those of a group with this number of tasks. */
        boolean isWithin(int tasks) {
            return begun >= 0
                    && begun <= tasks
                    && ended.stream().allMatch(each -> each.first >= 0 && each.first < each.end && each.end <= tasks)
                    && allocated.stream().allMatch(each -> each.index >= 0 && each.index < tasks);
        }
    }

    /**
     * Consecutive tasks of a group that ended alike.
     *
     * @param outcome how they ended; all others than stopped tasks had started
     * @param first the index of the first task, from 0
     * @param end the index after the last task
     */
    public record Ended(TaskOutcome outcome, int first, int end) {}

    /**
     * A task on a node, in its first run.
     *
     * @param index the index of the task in its group, from 0
     * @param node the name of its node
     * @param sequence the position of the allocation among all of the partition, from 0
     * @param state its state
     * @param placedAt when it was allocated
     * @param startedAt when it was reported as started, or null
     * @param stopReason why it is being stopped, or null
     */
    public record Allocated(
            int index,
            String node,
            long sequence,
            TaskState state,
            Instant placedAt,
            @Nullable Instant startedAt,
            @Nullable StopReason stopReason) {

        /** Throws {@link IllegalArgumentException} if the state contradicts the other values. */
        public Allocated {
            boolean waits = state == TaskState.RESERVED || state == TaskState.STARTING;
            boolean stops = state == TaskState.STOPPING || state == TaskState.PREEMPTING;
            if (!state.isBound()
                    || (waits && startedAt != null)
                    || (state == TaskState.RUNNING && startedAt == null)
                    || stops != (stopReason != null)) {
                throw new IllegalArgumentException("a task in state " + state.wireName() + " cannot have started at "
                        + startedAt + " and have the stop reason " + stopReason);
            }
        }
    }
}
