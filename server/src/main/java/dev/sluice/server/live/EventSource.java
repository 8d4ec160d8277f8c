package dev.sluice.server.live;

import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;

/** Reads what is in the journal. */
public interface EventSource {

    /**
     * Reads entries that have events after this one, in order, as long as the reader wants more.
     *
     * @throws StoreException if they cannot be read
     */
    void read(long after, EntryReader reader) throws StoreException;

    /** The sequence number of the first event that is still there. */
    long firstSequence() throws StoreException;

    /** Takes entries. */
    @FunctionalInterface
    interface EntryReader {
        /** Takes the next entry, whose first event has this number; returns whether to go on. */
        boolean read(long first, JournalEntry entry);
    }
}
