package dev.sluice.server.routes;

import dev.sluice.core.application.TaskState;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what became of runs from the store. */
public final class StoredTaskHistory implements TaskHistory {

    private final JournalStore store;

    /** The history in this store. */
    public StoredTaskHistory(JournalStore store) {
        this.store = store;
    }

    @Override
    public Part ended(
            String partition,
            String application,
            Instant submitted,
            @Nullable TaskState state,
            long before,
            int limit) {
        return new Part(List.of(), null);
    }

    @Override
    public TaskView lastRun(String partition, String application, Instant submitted, String task) {
        throw ProblemException.of(ProblemKind.NOT_FOUND, "nothing is known of the runs of task " + task);
    }
}
