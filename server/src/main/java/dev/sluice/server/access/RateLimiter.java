package dev.sluice.server.access;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A token bucket for each caller (generic cell rate algorithm). Thread-safe.
 *
 * <p>A bucket is the instant at which it is full again: a full one is not stored. The number of stored buckets is
 * bounded. A bucket is forgotten only when it is full, so a caller cannot get a new one by inventing many others.
 * Callers for which there is no room share one bucket.
 */
public final class RateLimiter {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final long interval;
    private final long capacity;
    private final int callersMax;
    private final LongSupplier nanos;

    /** When the bucket of each caller is full again, least recently used first. */
    private final Map<String, Long> fullAt = new LinkedHashMap<>(16, 0.75f, true);

    private long othersFullAt;

    /**
     * Creates a limiter whose buckets are full.
     *
     * @param perSecond permits that each caller gets per second
     * @param burst permits of a full bucket, at least 1
     * @param callersMax maximum number of buckets
     * @param nanos a monotonic clock
     */
    public RateLimiter(double perSecond, int burst, int callersMax, LongSupplier nanos) {
        this.interval = Math.max(1, (long) (NANOS_PER_SECOND / perSecond));
        this.capacity = interval * burst;
        this.callersMax = callersMax;
        this.nanos = nanos;
        this.othersFullAt = nanos.getAsLong();
    }

    /** Takes a permit of a caller; returns 0, or the nanoseconds until there is one. */
    public synchronized long acquire(String caller) {
        return take(caller, true);
    }

    /** Returns what {@link #acquire} would return, without taking a permit. */
    public synchronized long delay(String caller) {
        return take(caller, false);
    }

    private long take(String caller, boolean keeps) {
        long now = nanos.getAsLong();
        Long known = fullAt.get(caller);
        boolean own = known != null || hasRoom(now);
        long full = known != null ? known : own ? now : othersFullAt;
        long missing = Math.max(0, full - now);
        long delay = missing - (capacity - interval);
        if (delay > 0) {
            return delay;
        }
        if (keeps) {
            long next = now + missing + interval;
            if (own) {
                fullAt.put(caller, next);
            } else {
                othersFullAt = next;
            }
        }
        return 0;
    }

    /** Returns whether another bucket can be stored; forgets the one used least recently if it is full. */
    private boolean hasRoom(long now) {
        if (fullAt.size() < callersMax) {
            return true;
        }
        Iterator<Long> eldest = fullAt.values().iterator();
        if (eldest.next() - now > 0) {
            return false;
        }
        eldest.remove();
        return true;
    }

    /** Returns the number of stored buckets. */
    synchronized int size() {
        return fullAt.size();
    }
}
