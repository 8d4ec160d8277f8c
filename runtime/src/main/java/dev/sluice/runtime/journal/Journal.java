package dev.sluice.runtime.journal;

import dev.sluice.runtime.journal.codec.BatchEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened, in a {@link JournalStore}: numbers the events, turns them into bytes and writes them. Belongs to one thread. How the
 * state is made of it again is told by {@link Replay}.
 */
public final class Journal {

    /** How large a batch may become that has several entries. One entry is never divided, however large it is: all of it counts or nothing. */
    static final int BATCH_BYTES_MAX = 16 << 20;

    private final JournalStore store;
    private final int batchBytesMax;
    private final BatchEncoder encoder = new BatchEncoder();
    private long last;
    private @Nullable Pending pending;

    /** What could not be written so far; it must be the next that is. */
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

    /** Goes on where this store ends. */
    public Journal(JournalStore store) {
        this(store, BATCH_BYTES_MAX);
    }

    Journal(JournalStore store, int batchBytesMax) {
        this.store = store;
        this.batchBytesMax = batchBytesMax;
        this.last = store.lastSequence();
    }

    /** The sequence number of the last event that was written: the first one of the next entry has the next number. */
    public long lastSequence() {
        return last;
    }

    /**
     * Writes entries, in order. When this returns they are safe, and so is what is to be kept beside them.
     *
     * <p>They are one batch, written as a whole or not at all, unless they come to more than some 16 MB: then they are several, of which
     * the first may be there without the others after a crash, but never a part of an entry. What is kept of an application or a
     * run that has ended is written with the event with which it ended, everything else with the last entry.
     *
     * <p>After a failure nothing else can be written until the same entries and keepsakes have been: give them again.
     *
     * @param entries at least one
     * @param now when they were decided
     * @return the sequence number of the last event
     * @throws StoreException if they may not have been written, or not all of them
     * @throws IllegalStateException if others could not be written before, and these are not the same
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
     * Writes what is to be kept although nothing happened. When this returns it is safe.
     *
     * @throws StoreException if it may not have been written, or not all of it; the same may be tried again
     * @throws IllegalStateException if entries could not be written before: they come first
     */
    public void appendHistory(List<HistoryRecord> historyRecords) throws StoreException {
        if (pending != null) {
            throw unwritten();
        }
        store.appendHistory(historyRecords);
    }

    private static IllegalStateException unwritten() {
        return new IllegalStateException("what could not be written is to be written first");
    }

    private List<StoredBatch> batches(List<JournalEntry> entries, Instant now) {
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("nothing happened: that is not written down");
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
                    throw new IllegalStateException("the first entry of a batch is always taken");
                }
            }
        }
        batches.add(new StoredBatch(first, encoder.events(), now, encoder.end()));
        return batches;
    }

    private boolean add(JournalEntry entry) {
        return encoder.add(entry.cause().action(), entry.cause().actor(), entry.events(), batchBytesMax);
    }

    /** What is written with this batch. */
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
