package dev.sluice.runtime.journal;

import dev.sluice.runtime.journal.codec.BatchEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends events to a {@link JournalStore}: numbers, encodes and writes them. Not thread-safe. {@link Replay} reads
 * them back.
 */
public final class Journal {

    /**
     * The maximum size of a batch with several entries. An entry is never divided, whatever its size, because it is
     * atomic.
     */
    static final int BATCH_BYTES_MAX = 16 << 20;

    private final JournalStore store;
    private final int batchBytesMax;
    private final BatchEncoder encoder = new BatchEncoder();
    private long last;
    private @Nullable Pending pending;

    /** Entries whose write failed; they must be written before any others. */
    private static final class Pending {
        final List<JournalEntry> entries;
        final List<HistoryRecord> historyRecords;
        final List<StoredBatch> batches;
        int written;

        Pending(List<JournalEntry> entries, List<HistoryRecord> historyRecords, List<StoredBatch> batches) {
            this.entries = entries;
            this.historyRecords = historyRecords;
            this.batches = batches;
        }
    }

    /** Continues after the last event of this store. */
    public Journal(JournalStore store) {
        this(store, BATCH_BYTES_MAX);
    }

    Journal(JournalStore store, int batchBytesMax) {
        this.store = store;
        this.batchBytesMax = batchBytesMax;
        this.last = store.lastSequence();
    }

    /** Returns the sequence number of the last event written; the next entry starts with the following number. */
    public long lastSequence() {
        return last;
    }

    /**
     * Writes entries, in order. When this returns, the entries and the history records are durable.
     *
     * <p>The entries form one batch, which is written atomically. More than about 16 MB are split into several batches;
     * after a crash only the first of these may exist, but never a part of an entry. The history record of an event is
     * written with the event, all others with the last entry.
     *
     * <p>After a failure the only permitted call is another one with the same entries and history records.
     *
     * @param entries at least one
     * @param now when the events were decided
     * @return the sequence number of the last event
     * @throws StoreException if some entries may not have been written
     * @throws IllegalStateException if an earlier write failed and these are not the same entries
     */
    public long append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant now)
            throws StoreException {
        Pending writing = pending;
        if (writing == null) {
            writing = new Pending(List.copyOf(entries), List.copyOf(historyRecords), batches(entries, now));
            pending = writing;
        } else if (!writing.entries.equals(entries) || !writing.historyRecords.equals(historyRecords)) {
            throw unwritten();
        }
        for (; writing.written < writing.batches.size(); writing.written++) {
            StoredBatch batch = writing.batches.get(writing.written);
            store.append(batch, with(batch, writing));
            last = batch.last();
        }
        pending = null;
        return last;
    }

    /**
     * Writes history records that belong to no event. When this returns, they are durable.
     *
     * @throws StoreException if some may not have been written; retry with the same records
     * @throws IllegalStateException if an earlier write of entries failed; retry that first
     */
    public void appendHistory(List<HistoryRecord> historyRecords) throws StoreException {
        if (pending != null) {
            throw unwritten();
        }
        store.appendHistory(historyRecords);
    }

    private static IllegalStateException unwritten() {
        return new IllegalStateException("the previous write failed and must be retried first");
    }

    private List<StoredBatch> batches(List<JournalEntry> entries, Instant now) {
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("entries must not be empty");
        }
        List<StoredBatch> batches = new ArrayList<>(1);
        long first = last + 1;
        encoder.begin(now);
        for (JournalEntry entry : entries) {
            if (!add(entry)) {
                batches.add(new StoredBatch(first, encoder.events(), now, encoder.end()));
                first += encoder.events();
                encoder.begin(now);
                if (!add(entry)) {
                    throw new IllegalStateException("empty batch did not accept an entry");
                }
            }
        }
        batches.add(new StoredBatch(first, encoder.events(), now, encoder.end()));
        return batches;
    }

    private boolean add(JournalEntry entry) {
        return encoder.add(entry.cause().action(), entry.cause().actor(), entry.events(), batchBytesMax);
    }

    /** Returns the history records to write with this batch. */
    private static List<HistoryRecord> with(StoredBatch batch, Pending writing) {
        if (writing.batches.size() == 1) {
            return writing.historyRecords;
        }
        boolean isLast = batch == writing.batches.get(writing.batches.size() - 1);
        List<HistoryRecord> with = new ArrayList<>();
        for (HistoryRecord historyRecord : writing.historyRecords) {
            boolean ends = historyRecord instanceof HistoryRecord.OfEvent ended
                    && ended.sequence()
                            <= writing.batches.get(writing.batches.size() - 2).last();
            if (ends) {
                long sequence = ((HistoryRecord.OfEvent) historyRecord).sequence();
                if (batch.first() <= sequence && sequence <= batch.last()) {
                    with.add(historyRecord);
                }
            } else if (isLast) {
                with.add(historyRecord);
            }
        }
        return with;
    }
}
