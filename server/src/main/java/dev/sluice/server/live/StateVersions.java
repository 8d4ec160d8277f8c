package dev.sluice.server.live;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The versions of the state that open pages show: the number of the last event, taken at most once per pause. Whatever
 * is read after a version was taken is at least as new, so all pages can share it until the next version. If reading
 * takes long, pauses are longer. Thread-safe.
 */
public final class StateVersions {

    /** Reading takes at most this part of the time, as long as pauses are not the longest. */
    private static final int SHARE = 20;

    private final LongSupplier last;
    private final LongSupplier nanos;
    private final long pauseMin;
    private final long pauseMax;
    private long version;
    private long taken;
    private long reading;

    /**
     * Creates the versions, beginning with the last event.
     *
     * @param last returns the sequence number of the last event
     * @param nanos a monotonic clock
     * @param pauseMin the minimum time between two versions
     * @param pauseMax the minimum time between two versions if reading takes long
     */
    public StateVersions(LongSupplier last, LongSupplier nanos, Duration pauseMin, Duration pauseMax) {
        this.last = last;
        this.nanos = nanos;
        this.pauseMin = pauseMin.toNanos();
        this.pauseMax = pauseMax.toNanos();
        this.version = last.getAsLong();
        this.taken = nanos.getAsLong() - this.pauseMax;
    }

    /** Returns the current version; takes a new one if there are events and the pause is over. */
    public synchronized long current() {
        long now = nanos.getAsLong();
        long newest = last.getAsLong();
        if (newest != version && now - taken >= pause()) {
            version = newest;
            taken = now;
            reading = 0;
        }
        return version;
    }

    /** Returns how long the current version remains even if there are events. */
    public synchronized Duration remaining() {
        return Duration.ofNanos(Math.max(0, taken + pause() - nanos.getAsLong()));
    }

    /** Records how long something of the current version took to read, in nanoseconds. */
    public synchronized void read(long took) {
        reading += took;
    }

    private long pause() {
        return Math.min(pauseMax, Math.max(pauseMin, reading * SHARE));
    }
}
