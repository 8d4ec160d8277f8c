package dev.sluice.runtime.journal;

import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which ends of runs are asked for, the last one first.
 *
 * @param partition the partition of the application
 * @param application the application's id
 * @param submitted when it was submitted, since ids are used again
 * @param task only those of the task of this id, or null
 * @param outcomes only those that ended like one of these; empty: however they ended
 * @param before only those with a smaller sequence number: {@link Long#MAX_VALUE} for the first page, then that of the last one seen
 * @param limit at most so many
 */
public record TaskEndQuery(
        String partition,
        String application,
        Instant submitted,
        @Nullable String task,
        List<TaskOutcome> outcomes,
        long before,
        int limit) {

    /** Copies the outcomes. */
    public TaskEndQuery {
        outcomes = List.copyOf(outcomes);
    }
}
