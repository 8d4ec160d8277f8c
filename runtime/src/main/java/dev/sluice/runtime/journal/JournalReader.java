package dev.sluice.runtime.journal;

import org.jspecify.annotations.Nullable;

/** Reads the batches and checkpoints of a journal, which may be written meanwhile. */
public interface JournalReader {

    /** Returns the sequence number of the last stored event; 0 before the first. */
    long lastSequence();

    /** Returns the sequence number of the first stored event, or of the next event if none is stored. */
    long firstSequence() throws StoreException;

    /**
     * Reads all batches with events after this one, in order, including those written meanwhile as far as they are
     * visible. The first batch may begin earlier.
     *
     * @throws StoreException if batches are unreadable, damaged or missing, including discarded ones at the beginning
     *     (see {@link #firstSequence}); the batches before the damage have been read then
     */
    void read(long after, JournalStore.BatchReader reader) throws StoreException;

    /**
     * Returns the latest checkpoint with a smaller sequence number, or null. This allows skipping a damaged checkpoint:
     * the journal is kept from the oldest remaining checkpoint on.
     */
    JournalStore.@Nullable Checkpoint checkpointBefore(long sequence) throws StoreException;
}
