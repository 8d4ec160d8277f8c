package dev.sluice.config.snapshot;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Some of the tasks of an entry, one after the other, that are in the same state.
 *
 * @param first the index of the first of them, from 0
 * @param count how many they are, at least 1
 * @param state where they are in their life; never {@link TaskState#WAITING}
 * @param node where they run; null if they do not run, or if {@link RunningTaskPlacement} finds them a place
 * @param started since when they run, or have had a place if they are not running yet; null: not said
 * @param placement of tasks that stand on a node, which placement it was: what was placed later has a larger number; null: not said
 */
public record TaskPart(
        int first,
        int count,
        TaskState state,
        @Nullable String node,
        @Nullable Instant started,
        @Nullable Long placement) {

    /** Throws {@link IllegalArgumentException} for what no tasks can be. */
    public TaskPart {
        if (first < 0 || count < 1 || first > TaskSpec.COUNT_MAX - count) {
            throw new IllegalArgumentException("there are no " + count + " tasks from index " + first + " on");
        }
        if (state == TaskState.WAITING) {
            throw new IllegalArgumentException("whether a task waits follows from after; until then it is pending");
        }
        if ((node != null || started != null || placement != null) && !state.isBound()) {
            throw new IllegalArgumentException("a task that is " + state.wireName() + " stands on no node");
        }
        if (placement != null && (placement < 0 || count > 1)) {
            throw new IllegalArgumentException("a placement is a number from 0 on, of one task: " + placement);
        }
    }

    /** The index after the last of them. */
    public int end() {
        return first + count;
    }
}
