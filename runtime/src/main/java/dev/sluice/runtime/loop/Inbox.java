package dev.sluice.runtime.loop;

import dev.sluice.runtime.journal.Cause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be done. What comes from outside is refused when too much of it waits; the reports of task runners are not, since
 * they cannot be made again and there are no more of them than tasks that run.
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
     * A transaction that waits.
     *
     * @param counted whether it counts against what may wait
     */
    record Envelope<T>(Cause cause, Transaction<T> transaction, CompletableFuture<T> answer, boolean counted) {}

    /** Puts in what comes from outside; throws {@link BusyException} if too much waits already. */
    <T> CompletableFuture<T> offer(Cause cause, Transaction<T> transaction) {
        if (waiting.incrementAndGet() > waitingMax) {
            waiting.decrementAndGet();
            throw new BusyException(
                    BusyException.Kind.INBOX_FULL,
                    "too much is waiting to be done: " + waitingMax + " requests",
                    RETRY);
        }
        return put(new Envelope<>(cause, transaction, new CompletableFuture<>(), true));
    }

    /** Puts in what cannot be refused. */
    <T> CompletableFuture<T> putUnbounded(Cause cause, Transaction<T> transaction) {
        return put(new Envelope<>(cause, transaction, new CompletableFuture<>(), false));
    }

    private <T> CompletableFuture<T> put(Envelope<T> envelope) {
        envelopes.add(envelope);
        return envelope.answer();
    }

    /** How many wait. */
    int size() {
        return envelopes.size();
    }

    /**
     * Waits until there is something, and moves up to so many to a list.
     *
     * @param nanosMax how long to wait at most; 0: not at all; {@link Long#MAX_VALUE}: as long as it takes
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
        int counted = 0;
        for (Envelope<?> envelope : to) {
            counted += envelope.counted() ? 1 : 0;
        }
        waiting.addAndGet(-counted);
    }

    /** The next one, or null. */
    @Nullable Envelope<?> poll() {
        Envelope<?> envelope = envelopes.poll();
        if (envelope != null && envelope.counted()) {
            waiting.decrementAndGet();
        }
        return envelope;
    }
}
