package dev.sluice.runtime.journal;

import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects ended task runs, most recent first.
 *
 * @param partition the partition of the application
 * @param application the id of the application
 * @param submitted when the application was submitted, because ids are reused
 * @param task only runs of the task with this id, or null
 * @param outcomes only runs with one of these outcomes; empty for all
 * @param before only smaller sequence numbers: {@link Long#MAX_VALUE} for the first page, then the last one of the
 *     previous page
 * @param limit the maximum number of results
 */
public record TaskEndQuery(
        String partition,
        String application,
        Instant submitted,
        @Nullable String task,
        List<TaskOutcome> outcomes,
        long before,
        int limit) {

    public TaskEndQuery {
        outcomes = List.copyOf(outcomes);
    }
}
