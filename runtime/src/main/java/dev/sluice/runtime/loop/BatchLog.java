package dev.sluice.runtime.loop;

import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import java.time.Instant;
import java.util.List;

/** The log to which the loop writes the events of each batch. */
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
}
