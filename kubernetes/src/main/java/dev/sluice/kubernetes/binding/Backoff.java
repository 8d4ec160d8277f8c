package dev.sluice.kubernetes.binding;

import java.time.Duration;

/**
 * How often a request is repeated, and after which delays.
 *
 * @param attempts the maximum number of attempts, at least 1
 * @param first the delay before the second attempt, which doubles each time
 * @param longest the maximum delay, also if the server asks for a longer one
 */
public record Backoff(int attempts, Duration first, Duration longest) {

    /** Six attempts within about six seconds. */
    public static final Backoff DEFAULT = new Backoff(6, Duration.ofMillis(200), Duration.ofSeconds(5));

    /** Throws {@link IllegalArgumentException} if there are no attempts. */
    public Backoff {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1: " + attempts);
        }
    }

    /**
     * Returns the delay after an attempt.
     *
     * @param attempt the number of the attempt, from 1
     * @param asked the delay that the server asks for; zero if it does not
     */
    public Duration after(int attempt, Duration asked) {
        Duration doubled = first.multipliedBy(1L << Math.min(attempt - 1, 20));
        Duration delay = doubled.compareTo(asked) < 0 ? asked : doubled;
        return delay.compareTo(longest) > 0 ? longest : delay;
    }
}
