package dev.sluice.server.live;

import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;

/** Reads events from the journal. */
public interface EventSource {

    /**
     * Reads the entries that have events after this one, in order, until the reader returns false.
     *
     * @throws StoreException if they cannot be read
     */
    void read(long after, EntryReader reader) throws StoreException;

    /** Returns the sequence number of the first event in the journal. */
    long firstSequence() throws StoreException;

    @FunctionalInterface
    interface EntryReader {
        /**
         * Reads an entry.
         *
         * @param first the sequence number of its first event
         * @return whether to continue
         */
        boolean read(long first, JournalEntry entry);
    }
}
