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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CheckpointsTest {

    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration RETRY = Duration.ofMinutes(5);
    private static final CheckpointSettings EVERY_100 = new CheckpointSettings(
            100, Duration.ofDays(1), RETRY, new Retention(Duration.ofDays(30), Duration.ZERO, Duration.ZERO, 2));

    private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
    private final InstantSource clock = now::get;
    private final BlockingQueue<String> notifications = new LinkedBlockingQueue<>();
    private final CheckpointListener listener = new CheckpointListener() {
        @Override
        public void made(long sequence, Instant at, Duration took) {
            notifications.add("made " + sequence);
        }

        @Override
        public void failed(Throwable problem) {
            notifications.add("failed");
            throw new IllegalStateException("injected listener failure");
        }

        @Override
        public void unreadable(long sequence, Exception problem) {
            notifications.add("unreadable " + sequence);
        }
    };

    @Test
    @Tag("slow")
    void checkpoints_afterEventLimit_areCreatedAndUsable() throws Exception {
        RandomJournal random = new RandomJournal(1, 90);
        try (Checkpoints checkpoints = new Checkpoints(random.store, EVERY_100, listener, clock)) {
            for (int events = 50; events <= 250; events += 50) {
                random.writeUntil(events);
                checkpoints.appended(events);
                if (events % 100 == 0) {
                    assertThat(notifications.take()).isEqualTo("made " + events);
                }
            }
            assertThat(notifications).isEmpty();
        }
        assertThat(random.store.checkpoints()).containsExactly(100L, 200L);
        assertThat(random.replayed()).isEqualTo(random.state(250));
    }

    @Test
    void request_always_createsCheckpointAndDiscards() throws Exception {
        RandomJournal random = new RandomJournal(2);
        try (Checkpoints checkpoints = new Checkpoints(random.store, EVERY_100, listener, clock)) {
            for (int events = 30; events <= 90; events += 30) {
                random.writeUntil(events);
                assertThat(checkpoints.request().get()).isEqualTo(events);
            }
            assertThat(checkpoints.request().get()).as("nothing new").isEqualTo(90);
        }
        assertThat(notifications).containsExactly("made 30", "made 60", "made 90");
        assertThat(random.store.checkpoints()).containsExactly(60L, 90L);
        assertThat(random.store.firstSequence())
                .as("batches included in both checkpoints")
                .isEqualTo(61);
        assertThat(random.replayed()).isEqualTo(random.state(90));
    }

    @Test
    void checkpoint_failing_isReportedAndRetried() throws Exception {
        RandomJournal random = new RandomJournal(3, 60);
        random.writeUntil(120);
        for (Operation operation : new Operation[] {Operation.READ, Operation.KEEP_CHECKPOINT}) {
            random.store.fail(operation, Fault.UNAVAILABLE);
            try (Checkpoints checkpoints = new Checkpoints(random.store, EVERY_100, listener, clock)) {
                assertThat(notifications.take()).isEqualTo("failed");
                checkpoints.appended(120);
                assertThat(checkpoints.isAlive()).isTrue();
                assertThatThrownBy(() -> checkpoints.request().get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(StoreException.class);
                assertThat(notifications.take()).isEqualTo("failed");
            }
            assertThat(notifications).as("before the retry is due").isEmpty();
            random.store.heal();
        }
        random.store.fail(Operation.KEEP_CHECKPOINT, Fault.FULL, 1);
        try (Checkpoints checkpoints = new Checkpoints(random.store, EVERY_100, listener, clock)) {
            assertThat(notifications.take()).isEqualTo("failed");
            now.set(clock.instant().plus(RETRY));
            checkpoints.appended(120);
            assertThat(notifications.take()).isEqualTo("made 120");
        }
    }

    @Test
    void checkpoint_damagedJournal_reportsDamage() throws Exception {
        RandomJournal random = new RandomJournal(4);
        random.writeUntil(60);
        random.store.damageBatch(40);
        try (Checkpoints checkpoints = new Checkpoints(random.store, EVERY_100, listener, clock)) {
            assertThatThrownBy(() -> checkpoints.request().get())
                    .hasRootCauseMessage("checksum mismatch")
                    .hasCauseInstanceOf(StoreException.class);
        }
        assertThat(random.store.checkpoints()).isEmpty();
    }

    @Test
    void checkpoint_previousUnreadable_isCreatedWithoutIt() throws Exception {
        RandomJournal random = new RandomJournal(5);
        random.writeUntil(40);
        CheckpointSettings keeping = new CheckpointSettings(
                100,
                Duration.ofDays(1),
                RETRY,
                new Retention(Duration.ofDays(10_000), Duration.ZERO, Duration.ZERO, 2));
        try (Checkpoints checkpoints = new Checkpoints(random.store, keeping, listener, clock)) {
            assertThat(checkpoints.request().get()).isEqualTo(40);
            random.store.damageCheckpoint(40);
            random.writeUntil(60);
            assertThat(checkpoints.request().get()).isEqualTo(60);
        }
        assertThat(notifications).containsExactly("made 40", "unreadable 40", "made 60");
    }

    @Test
    void checkpoints_afterInterval_areCreatedIfEventsExist() throws Exception {
        RandomJournal random = new RandomJournal(6);
        random.writeUntil(10);
        CheckpointSettings every10Millis = new CheckpointSettings(
                100, Duration.ofMillis(10), RETRY, new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1));
        try (Checkpoints checkpoints = new Checkpoints(random.store, every10Millis, listener, InstantSource.system())) {
            assertThat(notifications.take()).isEqualTo("made 10");
            assertThat(checkpoints.isAlive()).isTrue();
        }
        assertThat(notifications).isEmpty();
    }

    @Test
    void discard_failing_isReportedAndRetried() throws Exception {
        RandomJournal random = new RandomJournal(7, 60);
        random.writeUntil(100);
        random.store.fail(Operation.DISCARD, Fault.UNAVAILABLE, 1);
        try (Checkpoints checkpoints = new Checkpoints(random.store, EVERY_100, listener, clock)) {
            assertThat(notifications.take()).isEqualTo("made 100");
            assertThat(notifications.take()).isEqualTo("failed");
            assertThat(checkpoints.request().get()).isEqualTo(100);
        }
        assertThat(notifications).isEmpty();
    }

    /** Obsolete data is not discarded before the checkpoint has been verified. */
    @Test
    void checkpoint_corruptedByStore_failsAndKeepsJournal() throws Exception {
        RandomJournal random = new RandomJournal(9);
        random.writeUntil(50);
        ForwardingStore spoiling = new ForwardingStore(random.store) {
            @Override
            public void keepCheckpoint(long sequence, Instant at, CheckpointWriter writer) throws StoreException {
                super.keepCheckpoint(sequence, at, writer);
                random.store.damageCheckpoint(sequence);
            }
        };
        try (Checkpoints checkpoints = new Checkpoints(spoiling, EVERY_100, listener, clock)) {
            assertThatThrownBy(() -> checkpoints.request().get())
                    .hasMessageContaining("the checkpoint of event 50 is unreadable although it was just written");
        }
        assertThat(random.store.firstSequence()).isEqualTo(1);
        assertThat(random.replayed()).isEqualTo(random.state(50));
    }

    /** Closing during the creation of a checkpoint returns soon, and the checkpoint is not stored. */
    @Test
    void close_duringCreation_storesNothing() throws Exception {
        RandomJournal random = new RandomJournal(8);
        random.writeUntil(random.size());
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        ForwardingStore slow = new ForwardingStore(random.store) {
            @Override
            public void read(long after, BatchReader reader) throws StoreException {
                reading.countDown();
                awaitQuietly(closing);
                super.read(after, reader);
            }
        };
        Checkpoints checkpoints = new Checkpoints(slow, EVERY_100, listener, clock);
        CompletableFuture<Long> request = checkpoints.request();
        reading.await();
        close(checkpoints, closing);

        assertThat(random.store.checkpoints()).isEmpty();
        assertThatThrownBy(request::get).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> checkpoints.request().get()).isInstanceOf(CancellationException.class);
        assertThat(notifications).as("closing is not a failure").isEmpty();
    }

    /** Closing does not wait until a large checkpoint has been read, and does not report it unreadable. */
    @Test
    void close_duringReadOfPrevious_returnsImmediately() throws Exception {
        RandomJournal random = new RandomJournal(9);
        random.writeUntil(40);
        try (Checkpoints before = new Checkpoints(random.store, EVERY_100, listener, clock)) {
            assertThat(before.request().get()).isEqualTo(40);
        }
        notifications.clear();
        random.writeUntil(60);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        AtomicBoolean isAsked = new AtomicBoolean();
        ForwardingStore slow = new ForwardingStore(random.store) {
            @Override
            public @Nullable Checkpoint checkpointBefore(long sequence) throws StoreException {
                Checkpoint found = super.checkpointBefore(sequence);
                if (isAsked.get()) {
                    reading.countDown();
                    awaitQuietly(closing);
                }
                return found;
            }

            @Override
            public void read(long after, BatchReader reader) {
                throw new AssertionError("stream is closed");
            }
        };
        Checkpoints checkpoints = new Checkpoints(slow, EVERY_100, listener, clock);
        isAsked.set(true);
        CompletableFuture<Long> request = checkpoints.request();
        reading.await();
        close(checkpoints, closing);

        assertThatThrownBy(request::get).isInstanceOf(CancellationException.class);
        assertThat(random.store.checkpoints()).containsExactly(40L);
        assertThat(notifications).as("closing is not a failure").isEmpty();
    }

    /** Closes the checkpoints and continues the blocked operation as soon as closing has started. */
    private static void close(Checkpoints checkpoints, CountDownLatch closing) throws InterruptedException {
        Thread closer = new Thread(checkpoints::close);
        closer.start();
        while (!checkpoints.isClosed()) {
            Thread.onSpinWait();
        }
        closing.countDown();
        closer.join();
        assertThat(checkpoints.isAlive()).isFalse();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
