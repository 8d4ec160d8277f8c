package dev.sluice.runtime.journal;

import dev.sluice.core.state.SchedulerState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Creates checkpoints in the background without blocking the scheduler. A separate thread replays the journal from the
 * latest checkpoint of this version, and writes the resulting state; each checkpoint therefore also proves that the
 * journal is readable. This takes the memory of one more state, both while a checkpoint is created and while it is read
 * back for verification, before obsolete data is discarded.
 *
 * <p>Failures are reported to the {@link CheckpointListener} and retried later. They never affect the writer of the
 * journal.
 */
public final class Checkpoints implements AutoCloseable {

    // A tenth of a processor replays about 100,000 events per second, many more than occur.
    private static final long WORK_NANOS = 1_000_000;
    private static final int RESTS_FOR_WORK = 9;
    private static final long REST_MAX_NANOS = 100_000_000;

    /** The maximum time the thread sleeps, because the clock may be adjusted. */
    private static final Duration SLEEP_MAX = Duration.ofMinutes(10);

    private final JournalStore store;
    private final CheckpointSettings settings;
    private final CheckpointListener listener;
    private final InstantSource clock;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by the lock
    private final List<CompletableFuture<Long>> requests = new ArrayList<>();
    private boolean mustDiscard;
    private Instant notBefore;
    private Instant due;

    private volatile long included;
    private volatile long written;
    private volatile boolean closed;

    /**
     * Starts the thread that creates checkpoints when they are due.
     *
     * @param clock the current time, for intervals and ages
     */
    public Checkpoints(
            JournalStore store, CheckpointSettings settings, CheckpointListener listener, InstantSource clock)
            throws StoreException {
        this.store = store;
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
        this.included = latest(store);
        this.written = store.lastSequence();
        this.notBefore = clock.instant();
        this.due = notBefore.plus(settings.interval());
        this.thread = new Thread(this::run, "checkpoints");
        thread.setDaemon(true);
        thread.start();
    }

    private static long latest(JournalStore store) throws StoreException {
        try (JournalStore.Checkpoint latest = store.latestCheckpoint()) {
            return latest == null ? 0 : latest.sequence();
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "cannot read the latest checkpoint: " + e, e);
        }
    }

    /** Reports that the journal has been written up to this event. Does not block; call it after every batch. */
    public void appended(long sequence) {
        written = sequence;
        if (sequence - included >= settings.events()) {
            wake();
        }
    }

    /**
     * Requests a checkpoint now.
     *
     * @return the sequence number of the last event included, once the checkpoint is written; fails if it cannot be
     *     created, and is cancelled if this is closed
     */
    public CompletableFuture<Long> request() {
        CompletableFuture<Long> request = new CompletableFuture<>();
        lock.lock();
        try {
            if (closed) {
                request.cancel(false);
            } else {
                requests.add(request);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        return request;
    }

    private void wake() {
        lock.lock();
        try {
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (awaitWork()) {
            List<CompletableFuture<Long>> pending = takeRequests();
            try {
                create();
                pending.forEach(request -> request.complete(included));
                discard();
            } catch (Throwable e) { // includes OutOfMemoryError, so that health monitoring sees it
                failed(e, pending);
            }
        }
        takeRequests().forEach(request -> request.cancel(false));
    }

    /** Waits until there is work; returns false when closed. */
    private boolean awaitWork() {
        lock.lock();
        try {
            while (!closed) {
                Instant now = clock.instant();
                Instant next = next();
                boolean isDue = !now.isBefore(next);
                if (!requests.isEmpty() || (isDue && (written > included || mustDiscard))) {
                    return true;
                }
                if (isDue) {
                    due = now.plus(settings.interval()); // no new events
                } else {
                    Duration left = Duration.between(now, next);
                    long nanos = left.compareTo(SLEEP_MAX) < 0 ? left.toNanos() : SLEEP_MAX.toNanos();
                    changed.awaitNanos(nanos); // re-check the condition after any wake-up, including spurious ones
                }
            }
        } catch (InterruptedException e) {
            closed = true; // this thread is interrupted only to stop it
        } finally {
            lock.unlock();
        }
        return false;
    }

    /** Returns when to check next if nothing is requested. */
    private Instant next() {
        boolean isEnough = written - included >= settings.events();
        return isEnough || mustDiscard || due.isBefore(notBefore) ? notBefore : due;
    }

    private List<CompletableFuture<Long>> takeRequests() {
        lock.lock();
        try {
            List<CompletableFuture<Long>> taken = List.copyOf(requests);
            requests.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** The last event that a checkpoint includes, and when it was decided. */
    private record Included(long sequence, Instant at, boolean isNew) {}

    /** Creates a checkpoint unless the latest one is up to date. */
    private void create() throws StoreException {
        Instant began = clock.instant();
        Throttle throttle = new Throttle();
        Included checkpoint = write(throttle);
        if (checkpoint.isNew()) {
            verify(checkpoint.sequence(), throttle);
        }
        Instant ended = clock.instant();
        lock.lock();
        try {
            included = checkpoint.sequence();
            due = ended.plus(settings.interval());
            notBefore = ended;
            mustDiscard = true;
        } finally {
            lock.unlock();
        }
        if (checkpoint.isNew()) {
            notifyListener(() -> listener.made(checkpoint.sequence(), checkpoint.at(), Duration.between(began, ended)));
        }
    }

    /**
     * Replays the journal to its end and writes the state as a checkpoint; does not retain the state. The first
     * checkpoint after an upgrade takes a replay from the first event, if that was kept, so that it is complete.
     */
    private Included write(Throttle throttle) throws StoreException {
        Restored restored = Replay.inBackground(new CompleteCheckpoints(store), new UnreadableReporter(), throttle);
        if (restored == null) {
            throw new CancellationException();
        }
        boolean isNew = restored.replayed() > 0;
        if (isNew) {
            SchedulerState state = restored.scheduler().state();
            store.keepCheckpoint(
                    restored.sequence(),
                    restored.at(),
                    out -> CheckpointContent.write(state, CancellableStreams.output(out, throttle)));
        }
        return new Included(restored.sequence(), restored.at(), isNew);
    }

    /** Reads back the checkpoint just written, because the data it makes obsolete is discarded next. */
    private void verify(long sequence, Throttle throttle) throws StoreException {
        try (JournalStore.Checkpoint latest = store.latestCheckpoint()) {
            if (latest == null || latest.sequence() != sequence) {
                throw new IOException("checkpoint not found");
            }
            CheckpointContent.check(CancellableStreams.input(latest.content(), throttle));
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    "the checkpoint of event " + sequence + " is unreadable although it was just written: "
                            + e.getMessage() + ". Check the disk of the store; the journal is not affected",
                    e);
        }
    }

    private void discard() throws StoreException {
        Instant now = clock.instant();
        listener.discarding(now.minus(settings.retention().finished()));
        store.discard(settings.retention(), now);
        lock.lock();
        try {
            mustDiscard = false;
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable problem, List<CompletableFuture<Long>> pending) {
        lock.lock();
        try {
            notBefore = clock.instant().plus(settings.retry());
        } finally {
            lock.unlock();
        }
        if (closed) {
            pending.forEach(request -> request.cancel(false));
        } else {
            pending.forEach(request -> request.completeExceptionally(problem));
            notifyListener(() -> listener.failed(problem));
        }
    }

    private static void notifyListener(Runnable notification) {
        try {
            notification.run();
        } catch (RuntimeException e) {
            // an exception of the listener must not stop the creation of checkpoints
        }
    }

    /** Returns whether the thread is running. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Returns whether this was closed. */
    boolean isClosed() {
        return closed;
    }

    /** Stops the thread, abandons the checkpoint being created and cancels all requests. */
    @Override
    public void close() {
        closed = true;
        wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Throttles the work, because the scheduler has priority for processor and garbage collector; stops it when this is
     * closed.
     */
    private final class Throttle implements BooleanSupplier {

        private long rested = System.nanoTime();

        @Override
        public boolean getAsBoolean() {
            long worked = System.nanoTime() - rested;
            if (worked > WORK_NANOS) {
                LockSupport.parkNanos(Math.min(REST_MAX_NANOS, RESTS_FOR_WORK * worked));
                rested = System.nanoTime();
            }
            return !closed;
        }
    }

    /** Reports checkpoints that are unreadable. */
    private final class UnreadableReporter implements ReplayListener {
        @Override
        public void unreadableCheckpoint(long sequence, Exception problem) {
            notifyListener(() -> listener.unreadable(sequence, problem));
        }
    }
}
