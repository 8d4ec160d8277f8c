package dev.sluice.runtime.journal;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands everything on to another store; tests change what they want to be different. */
class StoreInBetween implements JournalStore {

    private final JournalStore store;

    StoreInBetween(JournalStore store) {
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
    public void append(StoredBatch batch, List<Keepsake> keepsakes) throws StoreException {
        store.append(batch, keepsakes);
    }

    @Override
    public void keep(List<Keepsake> keepsakes) throws StoreException {
        store.keep(keepsakes);
    }

    @Override
    public void read(long after, BatchReader reader) throws StoreException {
        store.read(after, reader);
    }

    @Override
    public @Nullable Snapshot snapshotBefore(long sequence) throws StoreException {
        return store.snapshotBefore(sequence);
    }

    @Override
    public void keepSnapshot(long sequence, Instant at, SnapshotWriter writer) throws StoreException {
        store.keepSnapshot(sequence, at, writer);
    }

    @Override
    public void discard(Retention retention, Instant now) throws StoreException {
        store.discard(retention, now);
    }

    @Override
    public List<Keepsake.Receipt> receipts(Instant since, int limit) throws StoreException {
        return store.receipts(since, limit);
    }

    @Override
    public List<Keepsake.FinishedApplication> finished(FinishedQuery query) throws StoreException {
        return store.finished(query);
    }

    @Override
    public List<Keepsake.TaskEnd> taskEnds(TaskEndQuery query) throws StoreException {
        return store.taskEnds(query);
    }

    @Override
    public List<Keepsake.ConfigurationRevision> revisions(long before, int limit) throws StoreException {
        return store.revisions(before, limit);
    }

    @Override
    public void close() {
        store.close();
    }
}
