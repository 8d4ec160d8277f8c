package dev.sluice.runtime.journal;

import dev.sluice.core.application.ApplicationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects ended applications.
 *
 * @param partition only applications of this partition, or null
 * @param id only applications with this id, or null
 * @param submitted only those submitted at this instant, or null: ids are reused
 * @param name only applications with this name, or null
 * @param queue only applications in this queue or below it, or null
 * @param user only applications of this user, or null
 * @param state only applications that ended in this state, or null
 * @param from only applications that ended at this instant or later, or null
 * @param to only applications that ended before this instant, or null
 * @param before only smaller sequence numbers: {@link Long#MAX_VALUE} for the first page, then the last one of the
 *     previous page; pages of other orders than {@link FinishedOrder#LAST_ENDED} follow {@link FinishedOrder#after}
 * @param order the order of the results
 * @param limit the maximum number of results
 */
public record FinishedQuery(
        @Nullable String partition,
        @Nullable String id,
        @Nullable Instant submitted,
        @Nullable String name,
        @Nullable String queue,
        @Nullable String user,
        @Nullable ApplicationState state,
        @Nullable Instant from,
        @Nullable Instant to,
        long before,
        FinishedOrder order,
        int limit) {

    /** Creates a query whose results are in the usual order, last ended first. */
    public FinishedQuery(
            @Nullable String partition,
            @Nullable String id,
            @Nullable Instant submitted,
            @Nullable String name,
            @Nullable String queue,
            @Nullable String user,
            @Nullable ApplicationState state,
            @Nullable Instant from,
            @Nullable Instant to,
            long before,
            int limit) {
        this(partition, id, submitted, name, queue, user, state, from, to, before, FinishedOrder.LAST_ENDED, limit);
    }

    /** Returns a query of the latest end of the application with this id, whenever it was submitted. */
    public static FinishedQuery latest(String partition, String id) {
        return new FinishedQuery(partition, id, null, null, null, Long.MAX_VALUE, 1);
    }

    /** Returns a query of the latest end of an application, which ends several times if it is retried. */
    public static FinishedQuery latest(HistoryRecord.FinishedApplication application) {
        return new FinishedQuery(
                application.partition(),
                application.id(),
                application.submitted(),
                null,
                null,
                null,
                null,
                null,
                null,
                Long.MAX_VALUE,
                1);
    }

    /** Creates a query of all names and times. */
    public FinishedQuery(
            String partition,
            @Nullable String id,
            @Nullable String queue,
            @Nullable String user,
            @Nullable ApplicationState state,
            long before,
            int limit) {
        this(partition, id, null, null, queue, user, state, null, null, before, limit);
    }

    /** Returns the query of the page after the application with this sequence number. */
    public FinishedQuery before(long sequence) {
        return new FinishedQuery(partition, id, submitted, name, queue, user, state, from, to, sequence, order, limit);
    }

    /** Returns the query with its results in another order. */
    public FinishedQuery in(FinishedOrder other) {
        return new FinishedQuery(partition, id, submitted, name, queue, user, state, from, to, before, other, limit);
    }
}
