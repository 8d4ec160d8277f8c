package dev.sluice.runtime.journal;

import dev.sluice.core.application.StopReason;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores the journal, checkpoints and history records. One writer at a time locks it until it is closed.
 *
 * <p>{@link #append} and {@link #appendHistory}, {@link #keepCheckpoint}, and {@link #discard} may each be called by
 * one thread; all other methods are thread-safe. All may run concurrently.
 */
public interface JournalStore extends JournalReader, AutoCloseable {

    /**
     * Writes a batch. When this returns, the batch survives a crash of the program and of the machine.
     *
     * @param batch follows the last one without a gap
     * @throws StoreException if it may not have been written. Retrying with the same batch is safe: it is not written
     *     twice
     */
    void append(StoredBatch batch, List<HistoryRecord> historyRecords) throws StoreException;

    /**
     * Writes history records that belong to no event. When this returns, they are durable. A record replaces one with
     * the same key.
     *
     * @throws StoreException if some may not have been written; retry with the same records
     */
    void appendHistory(List<HistoryRecord> historyRecords) throws StoreException;

    /** Receives batches, in order. */
    @FunctionalInterface
    interface BatchReader {
        /** Receives the next batch; returns whether to continue. An exception means that its body is damaged. */
        boolean read(StoredBatch batch) throws IOException;
    }

    /** Returns the latest checkpoint, or null if there is none. */
    default @Nullable Checkpoint latestCheckpoint() throws StoreException {
        return checkpointBefore(Long.MAX_VALUE);
    }

    /**
     * A stored checkpoint.
     *
     * @param sequence the sequence number of the last event that it includes
     * @param at when that event was decided
     * @param content the bytes, verified while reading: an {@link IOException} signals damage; the caller closes it
     */
    record Checkpoint(long sequence, Instant at, InputStream content) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            content.close();
        }
    }

    /**
     * Stores a checkpoint atomically.
     *
     * @param sequence the sequence number of a stored event
     */
    void keepCheckpoint(long sequence, Instant at, CheckpointWriter writer) throws StoreException;

    /** Writes the bytes of a checkpoint. */
    @FunctionalInterface
    interface CheckpointWriter {
        /** Writes all bytes; does not close the stream. */
        void write(java.io.OutputStream out) throws IOException;
    }

    /**
     * Discards obsolete data: batches that are older than their retention and included in all remaining checkpoints,
     * all but the latest checkpoints, and history records older than their retention. Configuration revisions are kept.
     */
    void discard(Retention retention, Instant now) throws StoreException;

    /**
     * Returns the idempotency records since an instant, oldest first; if there are more than the limit, the newest
     * ones.
     */
    List<HistoryRecord.IdempotencyRecord> idempotencyRecords(Instant since, int limit) throws StoreException;

    /** Returns the ended applications that match. */
    List<HistoryRecord.FinishedApplication> finished(FinishedQuery query) throws StoreException;

    /** Returns the ended task runs that match. */
    List<HistoryRecord.TaskEnd> taskEnds(TaskEndQuery query) throws StoreException;

    /**
     * Returns how many runs of an ended application were stopped for each reason, from its submission to that end;
     * reasons without any are absent.
     */
    Map<StopReason, Long> stops(HistoryRecord.FinishedApplication application) throws StoreException;

    /** Reads what runs used, without holding them in memory. */
    void usage(UsageQuery query, UsageQuery.UsageReader reader) throws StoreException;

    /** Returns up to {@code limit} configuration revisions smaller than {@code before}, newest first. */
    List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) throws StoreException;

    /** Returns the notifications that wait for their delivery. */
    NotificationOutbox outbox();

    /** Returns the audit log. */
    AuditLog audit();

    /** Returns what waited in queues over time. */
    DemandHistory demand();

    /** Returns why applications waited. */
    WaitHistory waits();

    /** Returns the access tokens. */
    AccessTokenStore accessTokens();

    /** Unlocks the store for another writer. */
    @Override
    void close();
}
