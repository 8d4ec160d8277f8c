package dev.sluice.server.routes;

import dev.sluice.server.api.TaskView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the unfinished tasks of an application: allocated ones, then unallocated ones.
 *
 * @param next the start of the next page; null if all unfinished tasks are listed
 * @param submitted when the application was submitted
 */
record TaskQueryResult(List<TaskView> views, @Nullable TaskCursor next, Instant submitted) {

    /** The result for an application that the scheduler does not know. */
    static final TaskQueryResult NONE = new TaskQueryResult(List.of(), null, Instant.EPOCH);
}
