package dev.sluice.runtime.host;

import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import java.time.Instant;
import java.util.List;

/** The log to which the host writes the events of each batch. */
public interface BatchLog {

    /** Returns the sequence number of the next event. */
    long nextSequence();

    /**
     * Writes entries and their history records; when this returns, they are durable.
     *
     * @throws StoreException if they may not be durable; retry with the same arguments
     */
    void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at) throws StoreException;

    /**
     * Writes history records without events; when this returns, they are durable.
     *
     * @throws StoreException if they may not be durable; retry with the same arguments
     */
    void appendHistory(List<HistoryRecord> historyRecords) throws StoreException;

    /** Returns a log that keeps nothing and only numbers the events. */
    static BatchLog discarding() {
        return new BatchLog() {
            private long next = 1;

            @Override
            public long nextSequence() {
                return next;
            }

            @Override
            public void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at) {
                entries.forEach(entry -> next += entry.events().size());
            }

            @Override
            public void appendHistory(List<HistoryRecord> historyRecords) {}
        };
    }
}
