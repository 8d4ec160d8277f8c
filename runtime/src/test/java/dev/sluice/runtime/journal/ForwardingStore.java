package dev.sluice.runtime.journal;

import dev.sluice.core.application.StopReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Delegates to another store; tests override methods. */
class ForwardingStore implements JournalStore {

    private final JournalStore store;

    ForwardingStore(JournalStore store) {
        this.store = store;
    }

    @Override
    public long lastSequence() {
        return store.lastSequence();
    }

    @Override
    public long firstSequence() throws StoreException {
        return store.firstSequence();
    }

    @Override
    public void append(StoredBatch batch, List<HistoryRecord> historyRecords) throws StoreException {
        store.append(batch, historyRecords);
    }

    @Override
    public void appendHistory(List<HistoryRecord> historyRecords) throws StoreException {
        store.appendHistory(historyRecords);
    }

    @Override
    public void read(long after, BatchReader reader) throws StoreException {
        store.read(after, reader);
    }

    @Override
    public @Nullable Checkpoint checkpointBefore(long sequence) throws StoreException {
        return store.checkpointBefore(sequence);
    }

    @Override
    public void keepCheckpoint(long sequence, Instant at, CheckpointWriter writer) throws StoreException {
        store.keepCheckpoint(sequence, at, writer);
    }

    @Override
    public void discard(Retention retention, Instant now) throws StoreException {
        store.discard(retention, now);
    }

    @Override
    public List<HistoryRecord.IdempotencyRecord> idempotencyRecords(Instant since, int limit) throws StoreException {
        return store.idempotencyRecords(since, limit);
    }

    @Override
    public List<HistoryRecord.FinishedApplication> finished(FinishedQuery query) throws StoreException {
        return store.finished(query);
    }

    @Override
    public List<HistoryRecord.TaskEnd> taskEnds(TaskEndQuery query) throws StoreException {
        return store.taskEnds(query);
    }

    @Override
    public Map<StopReason, Long> stops(HistoryRecord.FinishedApplication application) throws StoreException {
        return store.stops(application);
    }

    @Override
    public void usage(UsageQuery query, UsageQuery.UsageReader reader) throws StoreException {
        store.usage(query, reader);
    }

    @Override
    public List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) throws StoreException {
        return store.revisions(before, limit);
    }

    @Override
    public AuditLog audit() {
        return store.audit();
    }

    @Override
    public DemandHistory demand() {
        return store.demand();
    }

    @Override
    public WaitHistory waits() {
        return store.waits();
    }

    @Override
    public NotificationOutbox outbox() {
        return store.outbox();
    }

    @Override
    public AccessTokenStore accessTokens() {
        return store.accessTokens();
    }

    @Override
    public void close() {
        store.close();
    }
}
