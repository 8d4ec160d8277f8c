package dev.sluice.server.routes;

import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads finished applications from the store. */
public final class FinishedApplications {

    private final JournalStore store;

    public FinishedApplications(JournalStore store) {
        this.store = store;
    }

    /** Returns the applications of a query; throws a {@link ProblemException} if they cannot be read. */
    List<FinishedApplication> find(FinishedQuery query) {
        try {
            return store.finished(query);
        } catch (StoreException e) {
            throw unreadable(e);
        }
    }

    /** Returns the last finished application with this id, or null. */
    @Nullable FinishedApplication latest(String partition, String id) {
        List<FinishedApplication> latest = find(FinishedQuery.latest(partition, id));
        return latest.isEmpty() ? null : latest.get(0);
    }

    /** Returns the application whose end has this sequence number; throws a {@link ProblemException} if none has. */
    FinishedApplication at(long sequence) {
        List<FinishedApplication> found =
                find(new FinishedQuery(null, null, null, null, null, null, null, null, null, sequence + 1, 1));
        if (found.isEmpty() || found.get(0).sequence() != sequence) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "before: application " + sequence + " is not in the history any more; begin with the first page");
        }
        return found.get(0);
    }

    /** Returns how often runs of an application were stopped until this end, by the names of the reasons. */
    SortedMap<String, Long> stops(FinishedApplication application) {
        try {
            SortedMap<String, Long> stops = new TreeMap<>();
            store.stops(application).forEach((reason, count) -> stops.put(reason.wireName(), count));
            return stops;
        } catch (StoreException e) {
            throw unreadable(e);
        }
    }

    static ProblemException unreadable(StoreException e) {
        return ProblemException.retry(
                ProblemKind.UNAVAILABLE, "the history cannot be read: " + e.getMessage(), Duration.ofSeconds(5), e);
    }
}
