package dev.sluice.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.testing.StateText;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.runtime.testing.MemoryStore.Fault;
import dev.sluice.runtime.testing.MemoryStore.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReplayTest {

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void replay_emptyJournal_yieldsEmptyScheduler() throws StoreException {
        Restored restored = Replay.of(new MemoryStore(), ReplayListener.NONE);

        assertThat(restored.sequence()).isZero();
        assertThat(restored.scheduler().state().partitions()).isEmpty();
    }

    @Test
    @Tag("slow")
    void replay_randomJournals_restoresState() throws StoreException {
        for (int seed = 0; seed < 6; seed++) {
            RandomJournal random = new RandomJournal(seed);
            random.writeUntil(random.size());

            Restored restored = Replay.of(random.store, ReplayListener.NONE);

            assertThat(restored.sequence()).isEqualTo(random.size());
            assertThat(restored.at()).isEqualTo(lastBatch(random).at());
            assertThat(StateText.of(restored.scheduler().state()))
                    .as("seed %s", seed)
                    .isEqualTo(random.state(random.size()));
        }
    }

    @Test
    @Tag("slow")
    void replay_withCheckpoint_equalsReplayWithout() throws StoreException {
        Random dice = new Random(1);
        for (int seed = 6; seed < 12; seed++) {
            RandomJournal random = new RandomJournal(seed);
            int before = 1 + dice.nextInt(random.size());
            random.writeUntil(before);
            keepCheckpoint(random.store);
            random.writeUntil(random.size());

            Restored restored = Replay.of(random.store, ReplayListener.NONE);

            assertThat(restored.checkpoint()).isEqualTo(before);
            assertThat(restored.replayed()).isEqualTo(random.size() - before);
            assertThat(StateText.of(restored.scheduler().state()))
                    .as("seed %s, checkpoint after %s", seed, before)
                    .isEqualTo(random.state(random.size()));
        }
    }

    @Test
    @Tag("slow")
    void replay_checkpointInsideBatch_appliesRemainingEvents() throws StoreException {
        RandomJournal random = new RandomJournal(1);
        random.writeUntil(random.size());
        StoredBatch batch = random.store.batches().stream()
                .filter(some -> some.events() > 3)
                .findFirst()
                .orElseThrow();
        long inside = batch.first() + 1;
        RandomJournal half = new RandomJournal(1);
        half.writeUntil((int) inside);
        Restored restored = Replay.of(half.store, ReplayListener.NONE);
        random.store.keepCheckpoint(
                inside,
                batch.at(),
                out -> CheckpointContent.write(restored.scheduler().state(), out));

        assertThat(random.replayed()).isEqualTo(random.state(random.size()));
    }

    @Test
    void replay_damagedCheckpoint_fallsBackToPrevious() throws StoreException {
        RandomJournal random = new RandomJournal(2);
        int third = random.size() / 3;
        random.writeUntil(third);
        keepCheckpoint(random.store);
        random.writeUntil(2 * third);
        keepCheckpoint(random.store);
        random.writeUntil(random.size());
        random.store.damageCheckpoint(2L * third);
        List<Long> unreadable = new ArrayList<>();
        ReplayListener listener = new ReplayListener() {
            @Override
            public void unreadableCheckpoint(long sequence, Exception problem) {
                unreadable.add(sequence);
            }
        };

        assertThat(Replay.of(random.store, listener).checkpoint()).isEqualTo(third);
        assertThat(random.replayed()).isEqualTo(random.state(random.size()));

        random.store.damageCheckpoint(third);
        assertThat(Replay.of(random.store, listener).checkpoint()).isZero();
        assertThat(random.replayed()).isEqualTo(random.state(random.size()));
        assertThat(unreadable).containsExactly(2L * third, 2L * third, (long) third);
    }

    @Test
    void replay_damagedCheckpointsAndTruncatedJournal_fails() throws StoreException {
        RandomJournal random = new RandomJournal(3);
        random.writeUntil(random.size());
        keepCheckpoint(random.store);
        random.store.discard(new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1), Instant.MAX);
        random.store.damageCheckpoint(random.size());

        assertThatThrownBy(() -> Replay.of(random.store, ReplayListener.NONE))
                .isInstanceOfSatisfying(StoreException.class, ReplayTest::isDamage)
                .hasMessageContaining(
                        "no checkpoint is readable, and the journal starts at event " + (random.size() + 1))
                .hasMessageContaining("Restore the store from a backup");
    }

    @Test
    void replay_damagedBatch_reportsItsEvents() throws StoreException {
        RandomJournal random = new RandomJournal(4);
        random.writeUntil(random.size());
        StoredBatch batch = random.store.batches().get(3);
        random.store.damageBatch(batch.first());

        assertThatThrownBy(() -> Replay.of(random.store, ReplayListener.NONE))
                .isInstanceOfSatisfying(StoreException.class, ReplayTest::isDamage)
                .hasMessageContaining(
                        "events " + batch.first() + " to " + batch.last() + " of the journal are unreadable")
                .hasMessageContaining("checksum mismatch");
        assertThatThrownBy(() -> Replay.inBackground(random.store, ReplayListener.NONE, () -> true))
                .isInstanceOfSatisfying(StoreException.class, ReplayTest::isDamage);
    }

    @Test
    void replay_journalWithGap_fails() throws StoreException {
        RandomJournal random = new RandomJournal(4);
        random.writeUntil(random.size());
        StoredBatch batch = random.store.batches().get(3);
        random.store.loseBatch(batch.first());

        assertThatThrownBy(() -> Replay.of(random.store, ReplayListener.NONE))
                .isInstanceOfSatisfying(StoreException.class, ReplayTest::isDamage)
                .hasMessageContaining("event " + batch.first() + " is missing");
    }

    @Test
    void replay_inconsistentEvent_reportsIt() throws StoreException {
        MemoryStore store = new MemoryStore();
        Journal journal = new Journal(store);
        assertThat(journal.append(
                        List.of(new JournalEntry(
                                Cause.internal("test"), List.of(new PartitionEvent.Seeded("nowhere", 1, AT)))),
                        List.of(),
                        AT))
                .isEqualTo(1);

        assertThatThrownBy(() -> Replay.of(store, ReplayListener.NONE))
                .isInstanceOfSatisfying(StoreException.class, ReplayTest::isDamage)
                .hasMessageContaining(
                        "event 1 of the journal does not match the state before it: partition nowhere not found");
    }

    @Test
    void replay_storeFailure_fails() throws StoreException {
        RandomJournal random = new RandomJournal(5);
        random.writeUntil(random.size());
        for (Operation operation : List.of(Operation.READ, Operation.READ_CHECKPOINT)) {
            for (Fault fault : Fault.values()) {
                random.store.fail(operation, fault, 1);
                assertThatThrownBy(() -> Replay.of(random.store, ReplayListener.NONE))
                        .isInstanceOf(StoreException.class);
            }
        }
        assertThat(random.replayed()).isEqualTo(random.state(random.size()));
    }

    /** Exceeds the read-ahead limit, so the reading thread must wait for the applying one. */
    @Test
    void replay_journalBeyondReadAhead_completes() throws StoreException {
        MemoryStore store = new MemoryStore();
        Journal journal = new Journal(store);
        List<JournalEntry> entries = List.of(new JournalEntry(
                Cause.internal("x".repeat(100_000)),
                List.of(new PartitionEvent.Configured(PartitionConfiguration.simplest(), AT))));
        for (int i = 1; i <= 300; i++) {
            assertThat(journal.append(entries, List.of(), AT)).isEqualTo(i);
        }
        List<Long> progress = new ArrayList<>();
        ReplayListener listener = new ReplayListener() {
            @Override
            public void progress(long sequence, long last) {
                progress.add(sequence);
            }
        };

        assertThat(Replay.of(store, listener).sequence()).isEqualTo(300);
        assertThat(progress).containsExactly(300L);
    }

    private static void keepCheckpoint(MemoryStore store) throws StoreException {
        Restored restored = Replay.of(store, ReplayListener.NONE);
        Scheduler scheduler = restored.scheduler();
        store.keepCheckpoint(
                restored.sequence(), restored.at(), out -> CheckpointContent.write(scheduler.state(), out));
    }

    private static StoredBatch lastBatch(RandomJournal random) {
        return random.store.batches().get(random.store.batches().size() - 1);
    }

    private static void isDamage(StoreException failure) {
        assertThat(failure.kind()).isEqualTo(StoreException.Kind.DAMAGED);
    }
}
