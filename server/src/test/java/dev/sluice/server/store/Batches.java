package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Batches derived from the number of their first event, so that batches read can be compared with batches written. */
final class Batches {

    static final Instant START = Instant.parse("2026-01-01T00:00:00.123456789Z");

    private Batches() {}

    /**
     * Returns the batch that starts with an event: one to three events, about 200 bytes, one second after the previous
     * event.
     */
    static StoredBatch at(long first) {
        return at(first, 200);
    }

    static StoredBatch at(long first, int bytes) {
        Random random = new Random(first);
        int events = 1 + random.nextInt(3);
        byte[] body = new byte[bytes];
        random.nextBytes(body);
        return new StoredBatch(first, events, START.plusSeconds(first), body);
    }

    static void check(StoredBatch batch) {
        StoredBatch expected = at(batch.first(), batch.body().length);
        assertThat(batch.last()).isEqualTo(expected.last());
        assertThat(batch.at()).isEqualTo(expected.at());
        assertThat(batch.body()).isEqualTo(expected.body());
    }

    /** Appends batches with an idempotency record and an application each; returns the last event. */
    static long append(JournalStore store, int count) throws StoreException {
        for (int i = 0; i < count; i++) {
            StoredBatch batch = at(store.lastSequence() + 1);
            store.append(batch, List.of(receipt(batch.first()), finished(batch.first())));
        }
        return store.lastSequence();
    }

    /** Reads, checks and returns all batches after an event. */
    static List<StoredBatch> read(JournalStore store, long after) throws StoreException {
        List<StoredBatch> batches = new ArrayList<>();
        store.read(after, batch -> {
            check(batch);
            if (!batches.isEmpty()) {
                assertThat(batch.first())
                        .isEqualTo(batches.get(batches.size() - 1).last() + 1);
            }
            return batches.add(batch);
        });
        return batches;
    }

    static HistoryRecord.IdempotencyRecord receipt(long number) {
        return new HistoryRecord.IdempotencyRecord(
                "key-" + number, "print-" + number, 200, "{}", START.plusSeconds(number));
    }

    static HistoryRecord.FinishedApplication finished(long sequence) {
        return finished(sequence, "app-" + sequence, "root.a", "alice", ApplicationState.COMPLETED);
    }

    static HistoryRecord.FinishedApplication finished(
            long sequence, String id, String queue, String user, ApplicationState state) {
        return new HistoryRecord.FinishedApplication(
                sequence,
                "default",
                id,
                "name",
                queue,
                user,
                state,
                "",
                START,
                START.plusSeconds(sequence),
                "{\"id\":\"" + id + "\"}");
    }

    static HistoryRecord.TaskEnd taskEnd(long sequence, String application, String task, TaskOutcome outcome) {
        return taskEnd(sequence, application, task, outcome, null);
    }

    static HistoryRecord.TaskEnd taskEnd(
            long sequence, String application, String task, TaskOutcome outcome, @Nullable StopReason stopReason) {
        return taskEnd(sequence, application, task, outcome, stopReason, null);
    }

    static HistoryRecord.TaskEnd taskEnd(
            long sequence,
            String application,
            String task,
            TaskOutcome outcome,
            @Nullable StopReason stopReason,
            HistoryRecord.@Nullable Beneficiary beneficiary) {
        return new HistoryRecord.TaskEnd(
                sequence,
                "default",
                application,
                START,
                task,
                2,
                "node",
                START.plusNanos(1),
                START.plusNanos(2),
                START.plusSeconds(sequence),
                outcome,
                outcome == TaskOutcome.FAILED ? -1 : null,
                "",
                outcome == TaskOutcome.LOST,
                stopReason,
                beneficiary);
    }
}
