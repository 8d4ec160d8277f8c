package dev.sluice.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.testing.MemoryStore.Fault;
import dev.sluice.runtime.testing.MemoryStore.Operation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SnapshotsTest {

    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration RETRY = Duration.ofMinutes(5);
    private static final SnapshotSettings EVERY_100 = new SnapshotSettings(
            100, Duration.ofDays(1), RETRY, new Retention(Duration.ofDays(30), Duration.ZERO, Duration.ZERO, 2));

    private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
    private final InstantSource clock = now::get;
    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
    private final SnapshotListener listener = new SnapshotListener() {
        @Override
        public void made(long sequence, Instant at, Duration took) {
            news.add("made " + sequence);
        }

        @Override
        public void failed(Throwable problem) {
            news.add("failed");
            throw new IllegalStateException("a listener that fails does no harm");
        }

        @Override
        public void unreadable(long sequence, Exception problem) {
            news.add("unreadable " + sequence);
        }
    };

    @Test
    void snapshots_afterSoManyEvents_areMadeAndServe() throws Exception {
        RandomJournal random = new RandomJournal(1, 90);
        try (Snapshots snapshots = new Snapshots(random.store, EVERY_100, listener, clock)) {
            for (int events = 50; events <= 250; events += 50) {
                random.writeUntil(events);
                snapshots.appended(events);
                if (events % 100 == 0) {
                    assertThat(news.take()).isEqualTo("made " + events);
                }
            }
            assertThat(news).isEmpty();
        }
        assertThat(random.store.snapshots()).containsExactly(100L, 200L);
        assertThat(random.replayed()).isEqualTo(random.state(250));
    }

    @Test
    void request_makesOneAtOnceAndDiscards() throws Exception {
        RandomJournal random = new RandomJournal(2);
        try (Snapshots snapshots = new Snapshots(random.store, EVERY_100, listener, clock)) {
            for (int events = 30; events <= 90; events += 30) {
                random.writeUntil(events);
                assertThat(snapshots.request().get()).isEqualTo(events);
            }
            assertThat(snapshots.request().get()).as("nothing new").isEqualTo(90);
        }
        assertThat(news).containsExactly("made 30", "made 60", "made 90");
        assertThat(random.store.snapshots()).containsExactly(60L, 90L);
        assertThat(random.store.firstSequence()).as("batches that both include").isEqualTo(61);
        assertThat(random.replayed()).isEqualTo(random.state(90));
    }

    @Test
    void snapshot_thatFails_isToldAndTriedAgainLater() throws Exception {
        RandomJournal random = new RandomJournal(3, 60);
        random.writeUntil(120);
        for (Operation operation : new Operation[] {Operation.READ, Operation.KEEP_SNAPSHOT}) {
            random.store.fail(operation, Fault.UNAVAILABLE);
            try (Snapshots snapshots = new Snapshots(random.store, EVERY_100, listener, clock)) {
                assertThat(news.take()).isEqualTo("failed");
                snapshots.appended(120);
                assertThat(snapshots.isAlive()).isTrue();
                assertThatThrownBy(() -> snapshots.request().get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(StoreException.class);
                assertThat(news.take()).isEqualTo("failed");
            }
            assertThat(news).as("before it is time").isEmpty();
            random.store.heal();
        }
        random.store.fail(Operation.KEEP_SNAPSHOT, Fault.FULL, 1);
        try (Snapshots snapshots = new Snapshots(random.store, EVERY_100, listener, clock)) {
            assertThat(news.take()).isEqualTo("failed");
            now.set(clock.instant().plus(RETRY));
            snapshots.appended(120);
            assertThat(news.take()).isEqualTo("made 120");
        }
    }

    @Test
    void snapshot_ofADamagedJournal_tellsThatItIsDamaged() throws Exception {
        RandomJournal random = new RandomJournal(4);
        random.writeUntil(60);
        random.store.damageBatch(40);
        try (Snapshots snapshots = new Snapshots(random.store, EVERY_100, listener, clock)) {
            assertThatThrownBy(() -> snapshots.request().get())
                    .hasRootCauseMessage("its check sum is wrong")
                    .hasCauseInstanceOf(StoreException.class);
        }
        assertThat(random.store.snapshots()).isEmpty();
    }

    @Test
    void snapshot_afterOneThatCannotBeRead_isMadeWithoutIt() throws Exception {
        RandomJournal random = new RandomJournal(5);
        random.writeUntil(40);
        SnapshotSettings keeping = new SnapshotSettings(
                100,
                Duration.ofDays(1),
                RETRY,
                new Retention(Duration.ofDays(10_000), Duration.ZERO, Duration.ZERO, 2));
        try (Snapshots snapshots = new Snapshots(random.store, keeping, listener, clock)) {
            assertThat(snapshots.request().get()).isEqualTo(40);
            random.store.damageSnapshot(40);
            random.writeUntil(60);
            assertThat(snapshots.request().get()).isEqualTo(60);
        }
        assertThat(news).containsExactly("made 40", "unreadable 40", "made 60");
    }

    @Test
    void snapshots_afterTheInterval_areMadeIfAnythingHasHappened() throws Exception {
        RandomJournal random = new RandomJournal(6);
        random.writeUntil(10);
        SnapshotSettings every10Millis = new SnapshotSettings(
                100, Duration.ofMillis(10), RETRY, new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1));
        try (Snapshots snapshots = new Snapshots(random.store, every10Millis, listener, InstantSource.system())) {
            assertThat(news.take()).isEqualTo("made 10");
            assertThat(snapshots.isAlive()).isTrue();
        }
        assertThat(news).isEmpty();
    }

    @Test
    void discarding_thatFails_isToldAndTriedAgain() throws Exception {
        RandomJournal random = new RandomJournal(7, 60);
        random.writeUntil(100);
        random.store.fail(Operation.DISCARD, Fault.UNAVAILABLE, 1);
        try (Snapshots snapshots = new Snapshots(random.store, EVERY_100, listener, clock)) {
            assertThat(news.take()).isEqualTo("made 100");
            assertThat(news.take()).isEqualTo("failed");
            assertThat(snapshots.request().get()).isEqualTo(100);
        }
        assertThat(news).isEmpty();
    }

    /** What it makes needless is not discarded before it is known that it can be read. */
    @Test
    void snapshot_thatTheStoreSpoils_failsAndLetsTheJournalBe() throws Exception {
        RandomJournal random = new RandomJournal(9);
        random.writeUntil(50);
        StoreInBetween spoiling = new StoreInBetween(random.store) {
            @Override
            public void keepSnapshot(long sequence, Instant at, SnapshotWriter writer) throws StoreException {
                super.keepSnapshot(sequence, at, writer);
                random.store.damageSnapshot(sequence);
            }
        };
        try (Snapshots snapshots = new Snapshots(spoiling, EVERY_100, listener, clock)) {
            assertThatThrownBy(() -> snapshots.request().get())
                    .hasMessageContaining("the snapshot of event 50 cannot be read although it was just made");
        }
        assertThat(random.store.firstSequence()).isEqualTo(1);
        assertThat(random.replayed()).isEqualTo(random.state(50));
    }

    /** Whoever closes it while one is being made waits for that to end soon, and nothing is kept. */
    @Test
    void close_whileOneIsBeingMade_keepsNothing() throws Exception {
        RandomJournal random = new RandomJournal(8);
        random.writeUntil(random.size());
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        StoreInBetween slow = new StoreInBetween(random.store) {
            @Override
            public void read(long after, BatchReader reader) throws StoreException {
                reading.countDown();
                awaitQuietly(closing);
                super.read(after, reader);
            }
        };
        Snapshots snapshots = new Snapshots(slow, EVERY_100, listener, clock);
        CompletableFuture<Long> request = snapshots.request();
        reading.await();
        close(snapshots, closing);

        assertThat(random.store.snapshots()).isEmpty();
        assertThatThrownBy(request::get).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> snapshots.request().get()).isInstanceOf(CancellationException.class);
        assertThat(news).as("being closed is no failure").isEmpty();
    }

    /** Closing does not wait until a large snapshot has been read, and does not call it unreadable. */
    @Test
    void close_whileTheOneOfBeforeIsBeingRead_endsThatAtOnce() throws Exception {
        RandomJournal random = new RandomJournal(9);
        random.writeUntil(40);
        try (Snapshots before = new Snapshots(random.store, EVERY_100, listener, clock)) {
            assertThat(before.request().get()).isEqualTo(40);
        }
        news.clear();
        random.writeUntil(60);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        AtomicBoolean isAsked = new AtomicBoolean();
        StoreInBetween slow = new StoreInBetween(random.store) {
            @Override
            public @Nullable Snapshot snapshotBefore(long sequence) throws StoreException {
                Snapshot found = super.snapshotBefore(sequence);
                if (isAsked.get()) {
                    reading.countDown();
                    awaitQuietly(closing);
                }
                return found;
            }

            @Override
            public void read(long after, BatchReader reader) {
                throw new AssertionError("it is closed");
            }
        };
        Snapshots snapshots = new Snapshots(slow, EVERY_100, listener, clock);
        isAsked.set(true);
        CompletableFuture<Long> request = snapshots.request();
        reading.await();
        close(snapshots, closing);

        assertThatThrownBy(request::get).isInstanceOf(CancellationException.class);
        assertThat(random.store.snapshots()).containsExactly(40L);
        assertThat(news).as("being closed is no failure").isEmpty();
    }

    /** Closes them, and lets what goes on go on as soon as that has begun. */
    private static void close(Snapshots snapshots, CountDownLatch closing) throws InterruptedException {
        Thread closer = new Thread(snapshots::close);
        closer.start();
        while (!snapshots.isClosed()) {
            Thread.onSpinWait();
        }
        closing.countDown();
        closer.join();
        assertThat(snapshots.isAlive()).isFalse();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
