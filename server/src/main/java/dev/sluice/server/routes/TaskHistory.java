package dev.sluice.server.routes;

import dev.sluice.core.application.TaskState;
import dev.sluice.server.api.TaskView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows what became of the runs of tasks that have ended. */
public interface TaskHistory {

    /**
     * Some of them.
     *
     * @param next what to ask for as {@code before} for the next ones; null if there are none
     */
    record EndedTasks(List<TaskView> views, @Nullable Long next) {}

    /**
     * Those of an application, the one that ended last first.
     *
     * @param submitted when the application was submitted, since ids are used again
     * @param state only those in this state, or null
     * @param before only those that ended before this one
     */
    EndedTasks ended(
            String partition, String application, Instant submitted, @Nullable TaskState state, long before, int limit);

    /** When the latest of the applications of this id that have ended was submitted; null if none is known. */
    @Nullable Instant lastSubmitted(String partition, String application);

    /** The last run of a task; throws a {@link dev.sluice.server.route.ProblemException} if it is not known. */
    TaskView lastRun(String partition, String application, Instant submitted, String task);
}
