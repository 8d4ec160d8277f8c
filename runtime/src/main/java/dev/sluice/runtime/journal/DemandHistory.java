package dev.sluice.runtime.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/** What waited in queues and what they were due over time. Kept beside the journal. Thread-safe. */
public interface DemandHistory {

    /** A history without intervals that keeps none. */
    DemandHistory NONE = new DemandHistory() {
        @Override
        public void append(List<Demand> demands) {}

        @Override
        public List<Demand> find(DemandQuery query) {
            return List.of();
        }

        @Override
        public void discard(Duration length, Instant before) {}
    };

    /**
     * The means of a queue and its descendants in an interval.
     *
     * @param from when the interval begins
     * @param pendingTasks the number of pending tasks
     * @param pending the resources that these request, in base units
     * @param due the resources that the queue was due, in base units
     */
    record Demand(
            String partition,
            String queue,
            Instant from,
            Duration length,
            long pendingTasks,
            SortedMap<String, Long> pending,
            SortedMap<String, Long> due) {}

    /**
     * Selects intervals of a length that begin within a span.
     *
     * @param queue only this queue; empty for all
     * @param from inclusive
     * @param to exclusive
     */
    record DemandQuery(String partition, String queue, Duration length, Instant from, Instant to) {}

    /** Stores intervals; each replaces that of the same queue, beginning and length. */
    void append(List<Demand> demands) throws StoreException;

    /** Returns the intervals that match, oldest first. */
    List<Demand> find(DemandQuery query) throws StoreException;

    /** Discards the intervals of a length that begin before an instant. */
    void discard(Duration length, Instant before) throws StoreException;
}
