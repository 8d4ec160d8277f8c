package dev.sluice.benchmarks.journal;

import dev.sluice.core.application.StopReason;
import dev.sluice.runtime.journal.AccessTokenStore;
import dev.sluice.runtime.journal.AuditLog;
import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.NotificationOutbox;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.runtime.journal.TaskEndQuery;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.runtime.journal.WaitHistory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store in memory with the latest checkpoint only, to measure the work other than disk access. */
final class InMemoryJournalStore implements JournalStore {

    private final List<StoredBatch> batches = new ArrayList<>();
    private long checkpoint;
    private Instant at = Instant.EPOCH;
    private byte @Nullable [] content;

    /** Returns the total size of all batches. */
    long bytes() {
        return batches.stream().mapToLong(batch -> batch.body().length).sum();
    }

    /** Returns the size of the checkpoint. */
    long checkpointBytes() {
        return content == null ? 0 : content.length;
    }

    /** Returns the batches, in order. */
    List<StoredBatch> batches() {
        return batches;
    }

    @Override
    public long lastSequence() {
        return batches.isEmpty() ? 0 : batches.get(batches.size() - 1).last();
    }

    @Override
    public long firstSequence() {
        return 1;
    }

    @Override
    public void append(StoredBatch batch, List<HistoryRecord> historyRecords) {
        batches.add(batch);
    }

    @Override
    public void appendHistory(List<HistoryRecord> historyRecords) {}

    @Override
    public void read(long after, BatchReader reader) throws StoreException {
        try {
            for (StoredBatch batch : batches) {
                if (batch.last() > after && !reader.read(batch)) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.DAMAGED, "cannot read the checkpoint", e);
        }
    }

    @Override
    public @Nullable Checkpoint checkpointBefore(long sequence) {
        return content == null || checkpoint >= sequence
                ? null
                : new Checkpoint(checkpoint, at, new ByteArrayInputStream(content));
    }

    @Override
    public void keepCheckpoint(long sequence, Instant when, CheckpointWriter writer) throws StoreException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.FULL, "cannot write the checkpoint", e);
        }
        checkpoint = sequence;
        at = when;
        content = out.toByteArray();
    }

    @Override
    public void discard(Retention retention, Instant now) {}

    @Override
    public List<HistoryRecord.IdempotencyRecord> idempotencyRecords(Instant since, int limit) {
        return List.of();
    }

    @Override
    public List<HistoryRecord.TaskEnd> taskEnds(TaskEndQuery query) {
        return List.of();
    }

    @Override
    public Map<StopReason, Long> stops(HistoryRecord.FinishedApplication application) {
        return Map.of();
    }

    @Override
    public List<HistoryRecord.FinishedApplication> finished(FinishedQuery query) {
        return List.of();
    }

    @Override
    public void usage(UsageQuery query, UsageQuery.UsageReader reader) {}

    @Override
    public List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) {
        return List.of();
    }

    @Override
    public AuditLog audit() {
        return AuditLog.NONE;
    }

    @Override
    public DemandHistory demand() {
        return DemandHistory.NONE;
    }

    @Override
    public WaitHistory waits() {
        return WaitHistory.NONE;
    }

    @Override
    public NotificationOutbox outbox() {
        throw new UnsupportedOperationException("notifications are not measured");
    }

    @Override
    public AccessTokenStore accessTokens() {
        throw new UnsupportedOperationException("access tokens are not measured");
    }

    @Override
    public void close() {}
}
