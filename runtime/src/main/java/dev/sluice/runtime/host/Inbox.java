package dev.sluice.runtime.host;

import dev.sluice.runtime.journal.Cause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The queue of pending transactions. Requests are rejected when too many are waiting. Reports of task runners are never
 * rejected, because they cannot be repeated and their number is limited by the number of running tasks.
 */
final class Inbox {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final LinkedBlockingQueue<Envelope<?>> envelopes = new LinkedBlockingQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int waitingMax;

    Inbox(int waitingMax) {
        this.waitingMax = waitingMax;
    }

    /**
     * A pending transaction.
     *
     * @param limited whether it counts towards the limit
     */
    record Envelope<T>(Cause cause, Transaction<T> transaction, CompletableFuture<T> result, boolean limited) {}

    /** Adds a request; throws {@link BusyException} if the inbox is full. */
    <T> CompletableFuture<T> offer(Cause cause, Transaction<T> transaction) {
        if (waiting.incrementAndGet() > waitingMax) {
            waiting.decrementAndGet();
            throw new BusyException(
                    BusyException.Kind.INBOX_FULL, "inbox full: " + waitingMax + " requests are waiting", RETRY);
        }
        return put(new Envelope<>(cause, transaction, new CompletableFuture<>(), true));
    }

    /** Adds a transaction that must not be rejected. */
    <T> CompletableFuture<T> putUnbounded(Cause cause, Transaction<T> transaction) {
        return put(new Envelope<>(cause, transaction, new CompletableFuture<>(), false));
    }

    private <T> CompletableFuture<T> put(Envelope<T> envelope) {
        envelopes.add(envelope);
        return envelope.result();
    }

    /** Returns the number of pending transactions. */
    int size() {
        return envelopes.size();
    }

    /**
     * Waits for a transaction, and moves up to {@code max} to a list.
     *
     * @param nanosMax the maximum time to wait in nanoseconds; 0: does not wait; {@link Long#MAX_VALUE}: waits
     *     indefinitely
     */
    void drainTo(List<Envelope<?>> to, int max, long nanosMax) throws InterruptedException {
        Envelope<?> first = nanosMax == 0
                ? envelopes.poll()
                : nanosMax == Long.MAX_VALUE ? envelopes.take() : envelopes.poll(nanosMax, TimeUnit.NANOSECONDS);
        if (first == null) {
            return;
        }
        to.add(first);
        envelopes.drainTo(to, max - 1);
        int limited = 0;
        for (Envelope<?> envelope : to) {
            limited += envelope.limited() ? 1 : 0;
        }
        waiting.addAndGet(-limited);
    }

    /** Removes and returns the next transaction, or returns null. */
    @Nullable Envelope<?> poll() {
        Envelope<?> envelope = envelopes.poll();
        if (envelope != null && envelope.limited()) {
            waiting.decrementAndGet();
        }
        return envelope;
    }
}
