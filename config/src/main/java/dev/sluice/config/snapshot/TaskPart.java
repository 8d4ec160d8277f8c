package dev.sluice.config.snapshot;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive tasks of an entry that are in the same state.
 *
 * @param first the index of the first task, from 0
 * @param count the number of tasks, at least 1
 * @param state their state; never {@link TaskState#WAITING}
 * @param node their node; null if they are not allocated, or if {@link RunningTaskPlacement} finds one
 * @param started when they started, or were allocated if they have not started yet; null: unknown
 * @param placement the sequence number of the allocation of a single task: later allocations have larger numbers; null:
 *     unknown
 */
public record TaskPart(
        int first,
        int count,
        TaskState state,
        @Nullable String node,
        @Nullable Instant started,
        @Nullable Long placement) {

    /** Throws {@link IllegalArgumentException} for impossible values. */
    public TaskPart {
        if (first < 0 || count < 1 || first > TaskSpec.COUNT_MAX - count) {
            throw new IllegalArgumentException("invalid range of tasks: " + count + " from index " + first);
        }
        if (state == TaskState.WAITING) {
            throw new IllegalArgumentException("waiting follows from after: use pending");
        }
        if ((node != null || started != null || placement != null) && !state.isBound()) {
            throw new IllegalArgumentException("a task in state " + state.wireName() + " has no node");
        }
        if (placement != null && (placement < 0 || count > 1)) {
            throw new IllegalArgumentException("placement must be 0 or more, for a single task: " + placement);
        }
    }

    /** Returns the index after the last task. */
    public int end() {
        return first + count;
    }
}
