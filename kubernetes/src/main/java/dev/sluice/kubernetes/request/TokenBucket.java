package dev.sluice.kubernetes.request;

import java.util.concurrent.TimeUnit;

/**
 * Limits how often something happens: on average so many times per second, and so many times at once after a pause. It
 * is stored as the time at which it will be full. Not thread-safe.
 */
public final class TokenBucket {

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long interval;
    private final long tolerance;
    private long fullAt;

    /**
     * Creates a full bucket.
     *
     * @param perSecond the average number of tokens per second, greater than 0
     * @param burst the maximum number of tokens at once, at least 1
     * @param now the time in nanoseconds
     */
    public TokenBucket(double perSecond, int burst, long now) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("rate and burst must be greater than 0: " + perSecond + ", " + burst);
        }
        interval = Math.max(1, Math.round(SECOND / perSecond));
        tolerance = interval * (burst - 1);
        fullAt = now;
    }

    /** Returns how long to wait for a token, in nanoseconds; 0 if there is one. */
    public long delay(long now) {
        return Math.max(0, fullAt - now - tolerance);
    }

    /** Takes a token; returns false if there is none. */
    public boolean take(long now) {
        if (delay(now) > 0) {
            return false;
        }
        fullAt = isFull(now) ? now + interval : fullAt + interval;
        return true;
    }

    /** Returns whether no token is missing. */
    public boolean isFull(long now) {
        return fullAt - now <= 0;
    }
}
