package dev.sluice.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.runtime.testing.MemoryStore.Fault;
import dev.sluice.runtime.testing.MemoryStore.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");

    private final MemoryStore store = new MemoryStore();
    private final Journal journal = new Journal(store);

    @Test
    void append_entries_numbersEventsWithoutGaps() throws StoreException {
        assertThat(journal.append(List.of(entry(1), entry(2)), List.of(), AT)).isEqualTo(3);
        assertThat(journal.append(List.of(entry(4)), List.of(idempotencyRecord("a")), AT.plusSeconds(1)))
                .isEqualTo(7);

        assertThat(store.batches()).extracting(StoredBatch::first).containsExactly(1L, 4L);
        assertThat(store.batches()).extracting(StoredBatch::at).containsExactly(AT, AT.plusSeconds(1));
        assertThat(store.historyRecords()).containsExactly(idempotencyRecord("a"));
        assertThat(entries()).containsExactly(entry(1), entry(2), entry(4));
        assertThat(journal.lastSequence()).isEqualTo(7);
    }

    @Test
    void journal_onStoreWithEvents_continuesNumbering() throws StoreException {
        assertThat(journal.append(List.of(entry(3)), List.of(), AT)).isEqualTo(3);

        Journal next = new Journal(store.reopen());

        assertThat(next.append(List.of(entry(1)), List.of(), AT)).isEqualTo(4);
    }

    @Test
    void append_beyondBatchSize_isSplitBetweenEntries() throws StoreException {
        Journal small = new Journal(store, 200);
        List<JournalEntry> entries = List.of(entry(2), entry(90), entry(1), entry(1), entry(30));

        assertThat(small.append(entries, List.of(), AT)).isEqualTo(124);

        assertThat(entries()).isEqualTo(entries);
        assertThat(store.batches()).extracting(StoredBatch::events).containsExactly(2, 90, 32);
    }

    @Test
    void append_split_writesHistoryRecordsWithTheirEvents() throws StoreException {
        Journal small = new Journal(store, 200);
        HistoryRecord early = finished(50);
        HistoryRecord late = finished(123);
        List<JournalEntry> entries = List.of(entry(2), entry(90), entry(32));
        List<HistoryRecord> historyRecords = List.of(idempotencyRecord("a"), late, early);
        store.fail(Operation.APPEND, Fault.UNAVAILABLE_AFTERWARDS, 1);

        assertThatThrownBy(() -> small.append(entries, historyRecords, AT)).isInstanceOf(StoreException.class);
        assertThat(store.batches()).hasSize(1);
        assertThat(store.historyRecords()).as("with the first batch").isEmpty();

        assertThat(small.append(entries, historyRecords, AT)).isEqualTo(124);

        assertThat(store.historyRecords()).containsExactly(early, idempotencyRecord("a"), late);
    }

    @Test
    void append_retriedAfterFailure_writesNothingTwice() throws StoreException {
        for (Fault fault : Fault.values()) {
            List<JournalEntry> entries = List.of(entry(2));
            long before = journal.lastSequence();
            store.fail(Operation.APPEND, fault, 1);

            assertThatThrownBy(() -> journal.append(entries, List.of(), AT)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> journal.append(List.of(entry(1)), List.of(), AT))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(journal.lastSequence()).isEqualTo(before);

            assertThat(journal.append(entries, List.of(), AT)).isEqualTo(before + 2);
        }
        assertThat(store.batches()).hasSize(Fault.values().length);
    }

    @Test
    void append_noEntries_isRefused() {
        assertThatThrownBy(() -> journal.append(List.of(), List.of(), AT)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void appendHistory_withoutEvents_writesNoBatch() throws StoreException {
        journal.appendHistory(List.of(idempotencyRecord("a")));
        assertThat(store.historyRecords()).containsExactly(idempotencyRecord("a"));
        assertThat(store.batches()).isEmpty();
        assertThat(journal.lastSequence()).isZero();
    }

    @Test
    void appendHistory_afterFailedAppend_isRefused() {
        store.fail(Operation.APPEND, Fault.UNAVAILABLE, 1);
        assertThatThrownBy(() -> journal.append(List.of(entry(1)), List.of(), AT))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> journal.appendHistory(List.of(idempotencyRecord("a"))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(store.historyRecords()).isEmpty();
    }

    private static HistoryRecord idempotencyRecord(String key) {
        return new HistoryRecord.IdempotencyRecord(key, "", 200, "", AT);
    }

    private static HistoryRecord finished(long sequence) {
        return new HistoryRecord.FinishedApplication(
                sequence, "p", "app", "app", "root.a", "me", ApplicationState.COMPLETED, "", AT, AT, "{}");
    }

    private static JournalEntry entry(int events) {
        List<Event> happened = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            happened.add(new PartitionEvent.Seeded("p", i, AT));
        }
        return new JournalEntry(Cause.internal("seed"), happened);
    }

    private List<JournalEntry> entries() throws StoreException {
        List<JournalEntry> entries = new ArrayList<>();
        for (StoredBatch batch : store.batches()) {
            entries.addAll(new BatchDecoder().decode(batch));
        }
        return entries;
    }
}
