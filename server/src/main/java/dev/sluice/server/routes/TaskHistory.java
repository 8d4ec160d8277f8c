package dev.sluice.server.routes;

import dev.sluice.core.application.TaskState;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.server.api.EfficiencyView;
import dev.sluice.server.api.TaskView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds task runs that have ended. */
public interface TaskHistory {

    /**
     * A page of ended runs.
     *
     * @param next the value of {@code before} for the next page; null on the last page
     */
    record EndedTasks(List<TaskView> views, @Nullable Long next) {}

    /**
     * Returns ended runs of an application, last ended first.
     *
     * @param submitted the submission time of the application, because ids are reused
     * @param state only runs in this state, or null for all
     * @param before only runs that ended before this event
     */
    EndedTasks ended(
            String partition, String application, Instant submitted, @Nullable TaskState state, long before, int limit);

    /** Returns what the latest ended runs of an application, at most 1,000, used of what they were allocated. */
    EfficiencyView efficiency(String partition, String application, Instant submitted);

    /** Returns the last ended application with this id; null if unknown. */
    @Nullable FinishedApplication latest(String partition, String application);

    /** Returns the last run of a task; throws a {@link dev.sluice.server.route.ProblemException} if unknown. */
    TaskView lastRun(String partition, String application, Instant submitted, String task);
}
