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
 * @param pendingSince since when it has had pending tasks without a break; null: since its submission
 * @param restarting whether its gang starts again when the last of its tasks on nodes has ended
 * @param groups the tasks of each of its groups that are not pending, or that are pending again
 */
public record ApplicationProgress(
        ApplicationState state,
        Instant stateSince,
        boolean sealed,
        long allocations,
        @Nullable Instant pendingSince,
        boolean restarting,
        List<List<Part>> groups) {

    /** Copies the list. */
    public ApplicationProgress {
        groups = List.copyOf(groups);
    }

    /** Creates the progress of an application that has had pending tasks since its submission, if it has any. */
    public ApplicationProgress(
            ApplicationState state, Instant stateSince, boolean sealed, long allocations, List<List<Part>> groups) {
        this(state, stateSince, sealed, allocations, null, false, groups);
    }

    /**
     * Consecutive tasks of a group.
     *
     * @param first the index of the first task, from 0
     * @param end the index after the last task
     * @param state their state; pending if they have run and returned
     * @param run the run of an allocated task, or null
     * @param retryAt when a task that failed is pending again, or null
     */
    public record Part(
            int first,
            int end,
            TaskState state,
            @Nullable Run run,
            @Nullable Instant retryAt) {

        /** Throws {@link IllegalArgumentException} for impossible values. */
        public Part {
            if (first < 0 || first >= end || state.isBound() != (run != null) || (run != null && first != end - 1)) {
                throw new IllegalArgumentException("tasks " + first + " to " + end + " cannot be " + state.wireName());
            }
            if (run != null && !run.fits(state)) {
                throw new IllegalArgumentException("a task that is " + state.wireName() + " cannot have " + run);
            }
            if (retryAt != null && (state != TaskState.PENDING || first != end - 1)) {
                throw new IllegalArgumentException("a task that is " + state.wireName() + " cannot be delayed");
            }
        }

        /** Creates tasks that are not delayed. */
        public Part(int first, int end, TaskState state, @Nullable Run run) {
            this(first, end, state, run, null);
        }

        /** Returns a task that failed and is pending again at this time. */
        public static Part delayed(int index, Instant retryAt) {
            return new Part(index, index + 1, TaskState.PENDING, null, retryAt);
        }
    }

    /**
     * The first run of a task.
     *
     * @param node the name of its node
     * @param sequence the number of the allocation among all of the partition, from 0
     * @param placedAt when it was allocated
     * @param startedAt when it was reported as started, or null
     * @param stopReason why it is being stopped, or null
     */
    public record Run(
            String node,
            long sequence,
            Instant placedAt,
            @Nullable Instant startedAt,
            @Nullable StopReason stopReason) {

        private boolean fits(TaskState state) {
            return switch (state) {
                case RESERVED, STARTING -> startedAt == null && stopReason == null;
                case RUNNING, SUSPENDED -> startedAt != null && stopReason == null;
                default -> stopReason != null;
            };
        }
    }
}
