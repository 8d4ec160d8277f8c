package dev.sluice.server.routes;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import org.jspecify.annotations.Nullable;

/**
 * Refuses ids of earlier applications of other users while their logs are kept: whoever has an application with the id
 * may read and remove them.
 */
public final class ReusedIds {

    private final TaskLogs logs;
    private final FinishedApplications finished;

    /** Looks for logs, and for whose they are in the history. */
    public ReusedIds(TaskLogs logs, FinishedApplications finished) {
        this.logs = logs;
        this.finished = finished;
    }

    /** Returns whether logs of an earlier application may exist; looks at one folder only. */
    boolean haveLogs(ApplicationEntry entry) {
        return !entry.numbered() && logs.exist(entry.partition(), entry.id());
    }

    /** Throws a problem if a verified caller may not submit an application with this id; may block. */
    void require(Caller caller, ApplicationEntry entry) {
        ProblemException problem = problem(caller, entry);
        if (problem != null) {
            throw problem;
        }
    }

    /** Returns why a verified caller may not submit an application with this id, or null; may block. */
    @Nullable ProblemException problem(Caller caller, ApplicationEntry entry) {
        if (!caller.isVerified() || !haveLogs(entry)) {
            return null;
        }
        ApplicationSpec spec = entry.spec();
        String user = spec.user().equals(ApplicationSpec.NOBODY) ? caller.user() : spec.user();
        FinishedApplication earlier = finished.latest(entry.partition(), entry.id());
        return earlier == null || earlier.user().equals(user)
                ? null
                : ProblemException.of(
                        ProblemKind.CONFLICT,
                        "application " + entry.id() + " was one of user " + earlier.user()
                                + ", whose logs are kept; choose another id");
    }
}
