package dev.sluice.runtime.journal;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the journal is kept, with checkpoints and what people look up later. One writer has it at a time, and holds it until it closes
 * it.
 *
 * <p>{@link #append} with {@link #keep}, {@link #keepCheckpoint} and {@link #discard} may be called from one thread each, the rest from any, all at the same
 * time.
 */
public interface JournalStore extends AutoCloseable {

    /** The sequence number of the last event that is kept; 0 before the first. */
    long lastSequence();

    /**
     * Writes a batch. When this returns it is safe from a crash of the program and of the machine.
     *
     * @param batch follows the last one without a gap
     * @throws StoreException if it may not have been written; then the same batch may be tried again, even where it was written after
     *     all: it is not written twice
     */
    void append(StoredBatch batch, List<HistoryRecord> historyRecords) throws StoreException;

    /**
     * Writes what belongs to no event. When this returns it is safe, as a batch is. What has the key of something that is there replaces it.
     *
     * @throws StoreException if it may not have been written, or not all of it; then the same may be tried again
     */
    void appendHistory(List<HistoryRecord> historyRecords) throws StoreException;

    /**
     * Reads all batches that have events after this one, in order, those included that are written meanwhile as far as they are seen. The
     * first of them may begin before.
     *
     * @throws StoreException if they cannot be read, are damaged or have gaps, one at the beginning included: what has been discarded cannot
     *     be read (see {@link #firstSequence}); those before the damage were read then
     */
    void read(long after, BatchReader reader) throws StoreException;

    /** Takes batches, one after the other. */
    @FunctionalInterface
    interface BatchReader {
        /** Takes the next one; returns whether to go on. An exception means that its body is damaged. */
        boolean read(StoredBatch batch) throws IOException;
    }

    /** The latest checkpoint, or null if there is none. */
    default @Nullable Checkpoint latestCheckpoint() throws StoreException {
        return checkpointBefore(Long.MAX_VALUE);
    }

    /**
     * The latest checkpoint with a smaller sequence number, or null if there is none. So what is damaged can be passed over: the journal is
     * kept from the oldest checkpoint on that stays.
     */
    @Nullable Checkpoint checkpointBefore(long sequence) throws StoreException;

    /**
     * A checkpoint as it is kept.
     *
     * @param sequence the sequence number of the last event that it includes
     * @param at when that event was decided
     * @param content its bytes, checked as they are read: an {@link IOException} tells of damage; to be closed
     */
    record Checkpoint(long sequence, Instant at, InputStream content) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            content.close();
        }
    }

    /**
     * Keeps a checkpoint; all of it or, if this throws, nothing.
     *
     * @param sequence of an event that has been written
     */
    void keepCheckpoint(long sequence, Instant at, CheckpointWriter writer) throws StoreException;

    /** Writes the bytes of a checkpoint. */
    @FunctionalInterface
    interface CheckpointWriter {
        /** Writes all of them, and does not close the stream. */
        void write(java.io.OutputStream out) throws IOException;
    }

    /**
     * Discards what is no longer wanted: batches that all checkpoints which stay include and that were decided before an instant; all but the
     * latest checkpoints; what people look up that is older than its own limits. Configurations stay.
     */
    void discard(Retention retention, Instant now) throws StoreException;

    /** The receipts since an instant, the oldest first, but at most so many, the newest of them. */
    List<HistoryRecord.IdempotencyRecord> receipts(Instant since, int limit) throws StoreException;

    /** Those that have ended and are asked for. */
    List<HistoryRecord.FinishedApplication> finished(FinishedQuery query) throws StoreException;

    /** The runs that have ended and are asked for. */
    List<HistoryRecord.TaskEnd> taskEnds(TaskEndQuery query) throws StoreException;

    /** The configurations that held before, the newest first, from before this revision, at most so many. */
    List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) throws StoreException;

    /** The sequence number of the first event that is kept, or of the next one if none is. */
    long firstSequence() throws StoreException;

    /** Gives it back, for another writer. */
    @Override
    void close();
}
