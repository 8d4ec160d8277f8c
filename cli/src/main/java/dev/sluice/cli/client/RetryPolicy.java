package dev.sluice.cli.client;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Retries with exponential backoff until a deadline; a delay requested by the server takes precedence. */
public final class RetryPolicy {

    /** Initial delay. */
    static final Duration FIRST = Duration.ofMillis(100);

    /** Maximum delay, unless the server requests a longer one. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    private final Sleeper sleeper;
    private final long deadline;
    private Duration next = FIRST;

    /** Sleeps for a duration. */
    @FunctionalInterface
    public interface Sleeper {
        void sleep(Duration duration) throws InterruptedException;
    }

    /** @param lasts time until the deadline */
    public RetryPolicy(Duration lasts, LongSupplier nanoTime, Sleeper sleeper) {
        this.nanoTime = nanoTime;
        this.sleeper = sleeper;
        this.deadline = nanoTime.getAsLong() + lasts.toNanos();
    }

    /** Returns a policy with a deadline on the system clock. */
    public static RetryPolicy of(Duration lasts) {
        return new RetryPolicy(lasts, System::nanoTime, duration -> Thread.sleep(duration.toMillis()));
    }

    /** Returns the time until the deadline, at least 1 ms. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(1_000_000, deadline - nanoTime.getAsLong()));
    }

    /**
     * Sleeps before the next attempt; returns false at once if the deadline would pass.
     *
     * @param asked delay requested by the server, or null
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
