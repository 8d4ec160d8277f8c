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
 * Makes checkpoints without holding up the scheduler: a thread of its own reads the journal from the latest checkpoint on, as a start
 * would, and writes the checkpoint of what it comes to. So each one also proves that the journal can be read. It takes as much memory as one
 * more state while it is being made, and again while it is read once more, before what it makes needless is discarded.
 *
 * <p>What fails is told to the {@link CheckpointListener} and tried again later. It never concerns whoever writes the journal.
 */
public final class Checkpoints implements AutoCloseable {

    // A tenth of a processor reads some 100,000 events a second: many more than happen.
    private static final long WORK_NANOS = 1_000_000;
    private static final int RESTS_FOR_WORK = 9;
    private static final long REST_MAX_NANOS = 100_000_000;

    /** How long the thread sleeps at most: clocks may be set. */
    private static final Duration WAIT_MAX = Duration.ofMinutes(10);

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
     * Begins to make checkpoints when they are due.
     *
     * @param clock tells the time, for intervals and ages
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
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the latest checkpoint cannot be read: " + e, e);
        }
    }

    /** The journal has come to this event. Takes no time; to be called after every batch. */
    public void appended(long sequence) {
        written = sequence;
        if (sequence - included >= settings.events()) {
            wake();
        }
    }

    /**
     * Asks for one now.
     *
     * @return the sequence number of the last event that it includes, once it is made; fails if it cannot be made, or is cancelled if
     *     this is closed
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
            List<CompletableFuture<Long>> asking = takeRequests();
            try {
                make();
                asking.forEach(request -> request.complete(included));
                discard();
            } catch (Throwable e) { // even if memory gives out: whoever looks at health is to know
                failed(e, asking);
            }
        }
        takeRequests().forEach(request -> request.cancel(false));
    }

    /** Waits until there is something to do; returns whether there ever will be. */
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
                    due = now.plus(settings.interval()); // nothing has happened
                } else {
                    Duration left = Duration.between(now, next);
                    long nanos = left.compareTo(WAIT_MAX) < 0 ? left.toNanos() : WAIT_MAX.toNanos();
                    changed.awaitNanos(nanos); // whyever it wakes up, it looks
                }
            }
        } catch (InterruptedException e) {
            closed = true; // nobody interrupts this thread but to end it
        } finally {
            lock.unlock();
        }
        return false;
    }

    /** When to look whether there is something to do, if nobody asks. */
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

    /** What a checkpoint includes. */
    private record Included(long sequence, Instant at, boolean isNew) {}

    /** Makes one, if there is anything that the latest does not include. */
    private void make() throws StoreException {
        Instant began = clock.instant();
        Pace pace = new Pace();
        Included made = keep(pace);
        if (made.isNew()) {
            check(made.sequence(), pace);
        }
        Instant ended = clock.instant();
        lock.lock();
        try {
            included = made.sequence();
            due = ended.plus(settings.interval());
            notBefore = ended;
            mustDiscard = true;
        } finally {
            lock.unlock();
        }
        if (made.isNew()) {
            tell(() -> listener.made(made.sequence(), made.at(), Duration.between(began, ended)));
        }
    }

    /** Works out the state as of the end of the journal and keeps it; nothing holds on to it afterwards. */
    private Included keep(Pace pace) throws StoreException {
        Restored restored = Replay.inBackground(store, new Unreadable(), pace);
        if (restored == null) {
            throw new CancellationException();
        }
        boolean isNew = restored.replayed() > 0;
        if (isNew) {
            SchedulerState state = restored.scheduler().state();
            store.keepCheckpoint(
                    restored.sequence(),
                    restored.at(),
                    out -> CheckpointContent.write(state, CancellableStreams.output(out, pace)));
        }
        return new Included(restored.sequence(), restored.at(), isNew);
    }

    /** Reads the one that was just made, since what it makes needless is discarded next. */
    private void check(long sequence, Pace pace) throws StoreException {
        try (JournalStore.Checkpoint latest = store.latestCheckpoint()) {
            if (latest == null || latest.sequence() != sequence) {
                throw new IOException("it is not there");
            }
            CheckpointContent.check(CancellableStreams.input(latest.content(), pace));
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    "the checkpoint of event " + sequence + " cannot be read although it was just made: "
                            + e.getMessage() + ". See whether the store's disk is sound; the journal is kept.",
                    e);
        }
    }

    private void discard() throws StoreException {
        store.discard(settings.retention(), clock.instant());
        lock.lock();
        try {
            mustDiscard = false;
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable problem, List<CompletableFuture<Long>> asking) {
        lock.lock();
        try {
            notBefore = clock.instant().plus(settings.retry());
        } finally {
            lock.unlock();
        }
        if (closed) {
            asking.forEach(request -> request.cancel(false));
        } else {
            asking.forEach(request -> request.completeExceptionally(problem));
            tell(() -> listener.failed(problem));
        }
    }

    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException e) {
            // a listener that fails must not end the making of checkpoints; what it does is its own affair
        }
    }

    /** Whether this thread makes checkpoints still. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Whether it is to make no more. */
    boolean isClosed() {
        return closed;
    }

    /** Ends the thread; one that is being made is not kept. What was asked for is cancelled. */
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

    /** Goes on until this is closed, and rests most of the time, since others have more urgent work for the processor and the collector. */
    private final class Pace implements BooleanSupplier {

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

    /** Tells of checkpoints that cannot be read. */
    private final class Unreadable implements ReplayListener {
        @Override
        public void unreadableCheckpoint(long sequence, Exception problem) {
            tell(() -> listener.unreadable(sequence, problem));
        }
    }
}
