package dev.sluice.server.routes;

import dev.sluice.server.api.TaskView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the tasks of an application that are alive: those that stand on nodes, then those that wait.
 *
 * @param next where the next page begins; null if all that are alive were shown
 * @param submitted when the application was submitted
 */
record TaskQueryResult(List<TaskView> views, @Nullable TaskCursor next, Instant submitted) {

    /** Of an application that the scheduler does not know. */
    static final TaskQueryResult NONE = new TaskQueryResult(List.of(), null, Instant.EPOCH);
}
