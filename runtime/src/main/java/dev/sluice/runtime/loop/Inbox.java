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

    private final LinkedBlockingQueue<Letter<?>> letters = new LinkedBlockingQueue<>();
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
    record Letter<T>(Cause cause, Transaction<T> transaction, CompletableFuture<T> answer, boolean counted) {}

    /** Puts in what comes from outside; throws {@link BusyException} if too much waits already. */
    <T> CompletableFuture<T> offer(Cause cause, Transaction<T> transaction) {
        if (waiting.incrementAndGet() > waitingMax) {
            waiting.decrementAndGet();
            throw new BusyException(
                    BusyException.Kind.INBOX_FULL,
                    "too much is waiting to be done: " + waitingMax + " requests",
                    RETRY);
        }
        return put(new Letter<>(cause, transaction, new CompletableFuture<>(), true));
    }

    /** Puts in what cannot be refused. */
    <T> CompletableFuture<T> putAlways(Cause cause, Transaction<T> transaction) {
        return put(new Letter<>(cause, transaction, new CompletableFuture<>(), false));
    }

    private <T> CompletableFuture<T> put(Letter<T> letter) {
        letters.add(letter);
        return letter.answer();
    }

    /** How many wait. */
    int size() {
        return letters.size();
    }

    /**
     * Waits until there is something, and moves up to so many to a list.
     *
     * @param nanosMax how long to wait at most; 0: not at all; {@link Long#MAX_VALUE}: as long as it takes
     */
    void take(List<Letter<?>> to, int max, long nanosMax) throws InterruptedException {
        Letter<?> first = nanosMax == 0
                ? letters.poll()
                : nanosMax == Long.MAX_VALUE ? letters.take() : letters.poll(nanosMax, TimeUnit.NANOSECONDS);
        if (first == null) {
            return;
        }
        to.add(first);
        letters.drainTo(to, max - 1);
        int counted = 0;
        for (Letter<?> letter : to) {
            counted += letter.counted() ? 1 : 0;
        }
        waiting.addAndGet(-counted);
    }

    /** The next one, or null. */
    @Nullable Letter<?> poll() {
        Letter<?> letter = letters.poll();
        if (letter != null && letter.counted()) {
            waiting.decrementAndGet();
        }
        return letter;
    }
}
