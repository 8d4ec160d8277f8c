package dev.sluice.cli.client;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How long somebody goes on trying, and how long they pause in between: longer every time, or as long as the server says. */
public final class RetryPolicy {

    /** The first pause. */
    static final Duration FIRST = Duration.ofMillis(100);

    /** The longest pause that the server did not ask for. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    private final Sleeper sleeper;
    private final long deadline;
    private Duration next = FIRST;

    /** Waits. */
    @FunctionalInterface
    public interface Sleeper {
        /** Waits so long. */
        void sleep(Duration duration) throws InterruptedException;
    }

    /** Patience that lasts so long from now on. */
    public RetryPolicy(Duration lasts, LongSupplier nanoTime, Sleeper sleeper) {
        this.nanoTime = nanoTime;
        this.sleeper = sleeper;
        this.deadline = nanoTime.getAsLong() + lasts.toNanos();
    }

    /** Patience that lasts so long from now on, by the clock of this machine. */
    public static RetryPolicy of(Duration lasts) {
        return new RetryPolicy(lasts, System::nanoTime, duration -> Thread.sleep(duration.toMillis()));
    }

    /** How much of it is left; at least a millisecond. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(1_000_000, deadline - nanoTime.getAsLong()));
    }

    /**
     * Pauses before another try; returns false if the patience would be over by then.
     *
     * @param asked how long the server wants to be left alone, or null
     */
    public boolean pause(@Nullable Duration asked) {
        Duration pause = asked == null ? next : asked;
        if (nanoTime.getAsLong() + pause.toNanos() >= deadline) {
            return false;
        }
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        sleep(pause);
        return true;
    }

    private void sleep(Duration pause) {
        try {
            sleeper.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientException.unavailable("interrupted");
        }
    }
}
