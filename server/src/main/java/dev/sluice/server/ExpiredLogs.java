package dev.sluice.server;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the logs of applications whose history is about to be discarded. An id may be reused: the logs stay as long
 * as an active application or a later one in the history has the same id.
 */
final class ExpiredLogs {

    private static final Logger LOG = LoggerFactory.getLogger(ExpiredLogs.class);

    private static final int PAGE = 1_000;

    private final JournalStore store;
    private final LogRemoval logs;
    private volatile @Nullable EngineHost host;

    /** Removes the logs of an application that have not been written since an instant. */
    @FunctionalInterface
    interface LogRemoval {
        void remove(String partition, String application, Instant before) throws IOException;
    }

    ExpiredLogs(JournalStore store, LogRemoval logs) {
        this.store = store;
        this.logs = logs;
    }

    /** Sets the host, which knows the active applications. */
    void follow(EngineHost newHost) {
        host = newHost;
    }

    /**
     * Removes the logs of the applications that ended before this instant.
     *
     * @throws StoreException if the applications cannot be read or some logs cannot be removed; all others have been
     *     removed in the latter case
     */
    void remove(Instant before) throws StoreException {
        FinishedQuery page =
                new FinishedQuery(null, null, null, null, null, null, null, null, before, Long.MAX_VALUE, PAGE);
        List<FinishedApplication> found = store.finished(page);
        IOException failure = null;
        while (!found.isEmpty()) {
            for (FinishedApplication application : withoutActive(found)) {
                if (isLatest(application)) {
                    try {
                        logs.remove(application.partition(), application.id(), before);
                    } catch (IOException e) {
                        LOG.warn(
                                "expired logs could not be removed: application={} reason={}",
                                application.id(),
                                e.toString());
                        failure = e;
                    }
                }
            }
            found = store.finished(page.before(found.get(found.size() - 1).sequence()));
        }
        if (failure != null) {
            throw new StoreException(
                    StoreException.Kind.UNAVAILABLE,
                    "expired history is kept because its logs cannot be removed: " + failure.getMessage(),
                    failure);
        }
    }

    private boolean isLatest(FinishedApplication application) throws StoreException {
        List<FinishedApplication> latest =
                store.finished(FinishedQuery.latest(application.partition(), application.id()));
        return latest.isEmpty() || latest.get(0).sequence() == application.sequence();
    }

    private List<FinishedApplication> withoutActive(List<FinishedApplication> found) throws StoreException {
        EngineHost known = host;
        if (known == null) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the server is starting");
        }
        try {
            return known.submit(Cause.internal("query"), context -> {
                        List<FinishedApplication> ended = new ArrayList<>();
                        for (FinishedApplication each : found) {
                            Partition partition = context.state().partition(each.partition());
                            Application application = partition == null ? null : partition.application(each.id());
                            if (application == null || application.state().isEnded()) {
                                ended.add(each);
                            }
                        }
                        return ended;
                    })
                    .get();
        } catch (BusyException | ExecutionException e) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the scheduler is busy: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e);
        }
    }
}
