package dev.sluice.config.situation;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One task, or several that are alike and in the same state.
 *
 * @param spec what was asked for
 * @param state where they are in their life; never {@link TaskState#WAITING}, which follows from {@code after}
 * @param node where they run; null if they do not run, or if {@link StandingTasks} finds them a place
 * @param started since when they run; null: since the instant of the situation
 * @param duration how long each of them runs in a simulation, or null
 */
public record TaskEntry(
        TaskSpec spec,
        TaskState state,
        @Nullable String node,
        @Nullable Instant started,
        @Nullable Duration duration) {

    /** Throws {@link IllegalArgumentException} for a place without a task that holds it, and for {@code WAITING}. */
    public TaskEntry {
        if (state == TaskState.WAITING) {
            throw new IllegalArgumentException("whether a task waits follows from after; until then it is pending");
        }
        if ((node != null || started != null) && !state.stands()) {
            throw new IllegalArgumentException("a task that is " + state.word() + " stands on no node: " + spec.name());
        }
    }

    /** A task that waits for a place. */
    public static TaskEntry pending(TaskSpec spec) {
        return new TaskEntry(spec, TaskState.PENDING, null, null, null);
    }

    /** Whether they stand on a node. */
    public boolean stands() {
        return state.stands();
    }
}
