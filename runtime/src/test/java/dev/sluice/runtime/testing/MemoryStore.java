package dev.sluice.runtime.testing;

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
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory with fault injection. The content survives {@link #close}: {@link #reopen} passes it to another
 * writer, as after a restart. Thread-safe.
 */
public final class MemoryStore implements JournalStore {

    /** The operations that may fail. */
    public enum Operation {
        APPEND,
        READ,
        KEEP_CHECKPOINT,
        READ_CHECKPOINT,
        DISCARD,
        LOOK_UP
    }

    /** The ways to fail. */
    public enum Fault {
        /** No space left. */
        FULL(StoreException.Kind.FULL, false),
        /** The store is unreachable. */
        UNAVAILABLE(StoreException.Kind.UNAVAILABLE, false),
        /** Another writer uses the store. */
        IN_USE(StoreException.Kind.IN_USE, false),
        /** The operation succeeds, but its response is lost. */
        UNAVAILABLE_AFTERWARDS(StoreException.Kind.UNAVAILABLE, true);

        private final StoreException.Kind kind;
        private final boolean done;

        Fault(StoreException.Kind kind, boolean done) {
            this.kind = kind;
            this.done = done;
        }
    }

    private record Failing(Fault fault, int times) {}

    /** The content that survives a writer. */
    private static final class StoreContent {
        final AuditLog audit = new MemoryAudit();
        final DemandHistory demand = new MemoryDemand();
        final MemoryWaits waits = new MemoryWaits();
        final List<StoredBatch> batches = new ArrayList<>();
        final MemoryHistory history = new MemoryHistory();
        final MemoryAccessTokens accessTokens = new MemoryAccessTokens();

        final List<KeptCheckpoint> checkpoints = new ArrayList<>();
        long discarded;
    }

    private static final class KeptCheckpoint {
        final long sequence;
        final Instant at;
        final byte[] bytes;

        KeptCheckpoint(long sequence, Instant at, byte[] bytes) {
            this.sequence = sequence;
            this.at = at;
            this.bytes = bytes;
        }
    }

    private final StoreContent content;
    private final Map<Operation, Failing> failing = new EnumMap<>(Operation.class);
    private boolean closed;

    /** Creates an empty store. */
    public MemoryStore() {
        this(new StoreContent());
    }

    private MemoryStore(StoreContent content) {
        this.content = content;
    }

    /** Closes the store and passes its content to another writer. */
    public MemoryStore reopen() {
        close();
        return new MemoryStore(content);
    }

    /** Makes an operation fail until {@link #heal}. */
    public synchronized void fail(Operation operation, Fault fault) {
        failing.put(operation, new Failing(fault, Integer.MAX_VALUE));
    }

    /** Makes an operation fail this many times. */
    public synchronized void fail(Operation operation, Fault fault, int times) {
        failing.put(operation, new Failing(fault, times));
    }

    /** Stops all failures; damage remains. */
    public synchronized void heal() {
        failing.clear();
    }

    /** Flips one bit in the batch that contains this event. */
    public void damageBatch(long sequence) {
        replaceBatch(sequence, true);
    }

    /** Removes the batch that contains this event. */
    public void loseBatch(long sequence) {
        replaceBatch(sequence, false);
    }

    private void replaceBatch(long sequence, boolean damaged) {
        synchronized (content) {
            for (int i = 0; i < content.batches.size(); i++) {
                StoredBatch batch = content.batches.get(i);
                if (batch.first() <= sequence && sequence <= batch.last()) {
                    content.batches.remove(i);
                    if (damaged) {
                        byte[] body = batch.body().clone();
                        body[body.length / 2] = (byte) (body[body.length / 2] ^ 1);
                        content.batches.add(i, new StoredBatch(batch.first(), batch.events(), batch.at(), body));
                    }
                    return;
                }
            }
        }
        throw new IllegalArgumentException("event " + sequence + " not found");
    }

    /** Flips one bit in the checkpoint with this sequence number. */
    public void damageCheckpoint(long sequence) {
        synchronized (content) {
            byte[] bytes = content.checkpoints.stream()
                    .filter(checkpoint -> checkpoint.sequence == sequence)
                    .findFirst()
                    .orElseThrow()
                    .bytes;
            bytes[bytes.length / 2] = (byte) (bytes[bytes.length / 2] ^ 1);
        }
    }

    /** Returns the batches, in order. */
    public List<StoredBatch> batches() {
        synchronized (content) {
            return List.copyOf(content.batches);
        }
    }

    /** Returns the history records in the order of writing. */
    public List<HistoryRecord> historyRecords() {
        return content.history.all();
    }

    /** Returns the sequence numbers of the checkpoints, oldest first. */
    public List<Long> checkpoints() {
        synchronized (content) {
            return content.checkpoints.stream()
                    .map(checkpoint -> checkpoint.sequence)
                    .toList();
        }
    }

    /** Throws if the operation is to fail before it has an effect; returns the fault to raise afterwards, or null. */
    private synchronized @Nullable Fault begin(Operation operation) throws StoreException {
        if (closed) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "store is closed");
        }
        Failing failure = failing.get(operation);
        if (failure == null) {
            return null;
        }
        if (failure.times == 1) {
            failing.remove(operation);
        } else {
            failing.put(operation, new Failing(failure.fault, failure.times - 1));
        }
        if (!failure.fault.done) {
            throw exception(operation, failure.fault);
        }
        return failure.fault;
    }

    private static void end(Operation operation, @Nullable Fault fault) throws StoreException {
        if (fault != null) {
            throw exception(operation, fault);
        }
    }

    private static StoreException exception(Operation operation, Fault fault) {
        return new StoreException(fault.kind, "injected failure of " + operation + ": " + fault);
    }

    @Override
    public long lastSequence() {
        synchronized (content) {
            int size = content.batches.size();
            return size == 0 ? content.discarded : content.batches.get(size - 1).last();
        }
    }

    @Override
    public long firstSequence() {
        synchronized (content) {
            return content.batches.isEmpty()
                    ? content.discarded + 1
                    : content.batches.get(0).first();
        }
    }

    @Override
    public void append(StoredBatch batch, List<HistoryRecord> historyRecords) throws StoreException {
        Fault fault = begin(Operation.APPEND);
        synchronized (content) {
            long last = lastSequence();
            if (batch.first() == last + 1) {
                content.batches.add(batch);
                content.history.add(historyRecords);
            } else if (batch.last() != last || !isLast(batch)) {
                throw new StoreException(
                        StoreException.Kind.IN_USE, "event " + batch.first() + " cannot follow event " + last);
            }
        }
        end(Operation.APPEND, fault);
    }

    @Override
    public void appendHistory(List<HistoryRecord> historyRecords) throws StoreException {
        Fault fault = begin(Operation.APPEND);
        synchronized (content) {
            content.history.add(historyRecords);
        }
        end(Operation.APPEND, fault);
    }

    private boolean isLast(StoredBatch batch) {
        StoredBatch last = content.batches.get(content.batches.size() - 1);
        return last.first() == batch.first() && Arrays.equals(last.body(), batch.body());
    }

    @Override
    public void read(long after, BatchReader reader) throws StoreException {
        Fault fault = begin(Operation.READ);
        long next = after + 1;
        for (StoredBatch batch = batchWith(next); batch != null; batch = batchWith(next)) {
            try {
                if (!reader.read(batch)) {
                    return;
                }
            } catch (IOException e) {
                throw new StoreException(
                        StoreException.Kind.DAMAGED, "batch " + batch.first() + " is damaged: " + e.getMessage(), e);
            }
            next = batch.last() + 1;
        }
        if (next <= lastSequence()) {
            throw new StoreException(StoreException.Kind.DAMAGED, "event " + next + " is missing");
        }
        end(Operation.READ, fault);
    }

    private @Nullable StoredBatch batchWith(long sequence) {
        synchronized (content) {
            int low = 0;
            int high = content.batches.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                StoredBatch batch = content.batches.get(middle);
                if (batch.last() < sequence) {
                    low = middle + 1;
                } else if (batch.first() > sequence) {
                    high = middle - 1;
                } else {
                    return batch;
                }
            }
            return null;
        }
    }

    @Override
    public @Nullable Checkpoint checkpointBefore(long sequence) throws StoreException {
        Fault fault = begin(Operation.READ_CHECKPOINT);
        end(Operation.READ_CHECKPOINT, fault);
        synchronized (content) {
            return content.checkpoints.stream()
                    .filter(checkpoint -> checkpoint.sequence < sequence)
                    .max(Comparator.comparingLong(checkpoint -> checkpoint.sequence))
                    .map(checkpoint -> new Checkpoint(
                            checkpoint.sequence, checkpoint.at, new ByteArrayInputStream(checkpoint.bytes)))
                    .orElse(null);
        }
    }

    @Override
    public void keepCheckpoint(long sequence, Instant at, CheckpointWriter writer) throws StoreException {
        Fault fault = begin(Operation.KEEP_CHECKPOINT);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writer.write(bytes);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "failed to write the checkpoint: " + e, e);
        }
        synchronized (content) {
            content.checkpoints.removeIf(checkpoint -> checkpoint.sequence == sequence);
            content.checkpoints.add(new KeptCheckpoint(sequence, at, bytes.toByteArray()));
        }
        end(Operation.KEEP_CHECKPOINT, fault);
    }

    @Override
    public void discard(Retention retention, Instant now) throws StoreException {
        Fault fault = begin(Operation.DISCARD);
        synchronized (content) {
            while (content.checkpoints.size() > retention.checkpoints()) {
                content.checkpoints.remove(0);
            }
            long included = content.checkpoints.isEmpty() ? 0 : content.checkpoints.get(0).sequence;
            Instant oldest = now.minus(retention.journal());
            content.batches.removeIf(batch -> {
                boolean goes = batch.last() <= included && batch.at().isBefore(oldest);
                content.discarded = goes ? Math.max(content.discarded, batch.last()) : content.discarded;
                return goes;
            });
            content.history.discard(retention, now);
            content.waits.discard(now.minus(retention.finished()));
        }
        end(Operation.DISCARD, fault);
    }

    private void lookUp() throws StoreException {
        end(Operation.LOOK_UP, begin(Operation.LOOK_UP));
    }

    @Override
    public List<HistoryRecord.IdempotencyRecord> idempotencyRecords(Instant since, int limit) throws StoreException {
        lookUp();
        return content.history.idempotencyRecords(since, limit);
    }

    @Override
    public List<HistoryRecord.FinishedApplication> finished(FinishedQuery query) throws StoreException {
        lookUp();
        return content.history.finished(query);
    }

    @Override
    public List<HistoryRecord.TaskEnd> taskEnds(TaskEndQuery query) throws StoreException {
        lookUp();
        return content.history.taskEnds(query);
    }

    @Override
    public Map<StopReason, Long> stops(HistoryRecord.FinishedApplication application) throws StoreException {
        lookUp();
        return content.history.stops(application);
    }

    @Override
    public void usage(UsageQuery query, UsageQuery.UsageReader reader) throws StoreException {
        lookUp();
        content.history.usage(query, reader);
    }

    @Override
    public List<HistoryRecord.ConfigurationRevision> revisions(long before, int limit) throws StoreException {
        lookUp();
        return content.history.revisions(before, limit);
    }

    @Override
    public NotificationOutbox outbox() {
        return content.history.outbox(this::lookUp, () -> end(Operation.APPEND, begin(Operation.APPEND)));
    }

    @Override
    public AuditLog audit() {
        return content.audit;
    }

    @Override
    public DemandHistory demand() {
        return content.demand;
    }

    @Override
    public WaitHistory waits() {
        return content.waits;
    }

    @Override
    public AccessTokenStore accessTokens() {
        return content.accessTokens;
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
