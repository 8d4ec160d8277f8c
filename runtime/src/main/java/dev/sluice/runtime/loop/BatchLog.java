package dev.sluice.runtime.loop;

import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import java.time.Instant;
import java.util.List;

/** Where the loop writes what happened. */
public interface BatchLog {

    /** The sequence number of the event that will be written next. */
    long nextSequence();

    /**
     * Writes what happened; when this returns it is safe.
     *
     * @throws StoreException if it may not be; the same may be tried again
     */
    void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at) throws StoreException;

    /**
     * Writes what is to be kept although nothing happened; when this returns it is safe.
     *
     * @throws StoreException if it may not be; the same may be tried again
     */
    void appendHistory(List<HistoryRecord> historyRecords) throws StoreException;
}
