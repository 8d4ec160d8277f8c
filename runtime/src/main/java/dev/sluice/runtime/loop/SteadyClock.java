package dev.sluice.runtime.loop;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of day for whoever keeps timers: it goes on as a monotonic clock does and follows the wall clock as fast as timers bear it.
 *
 * <p>While the two agree it is the wall clock. When the wall clock jumps, forwards or back, this one goes faster or slower by a
 * {@link #SLEW_PART tenth} until it has caught up, so a duration that is measured with it is at most a tenth too long or too short, it never stands still
 * and never goes back. It begins no earlier than the journal ends: one that was written while the wall clock was ahead delays no timer.
 *
 * <p>May be asked by any thread.
 */
public final class SteadyClock implements InstantSource {

    /** This part of the time that has passed is what it goes faster or slower by at most. */
    static final int SLEW_PART = 10;

    private final InstantSource wall;
    private final LongSupplier nanos;
    private Instant last;
    private long lastNanos;

    /**
     * A clock that begins now.
     *
     * @param wall the time of day, which may jump
     * @param nanos nanoseconds from any instant on, which never jump
     * @param notBefore the earliest instant that it tells
     */
    public SteadyClock(InstantSource wall, LongSupplier nanos, Instant notBefore) {
        this.wall = wall;
        this.nanos = nanos;
        Instant now = wall.instant();
        this.last = now.isAfter(notBefore) ? now : notBefore;
        this.lastNanos = nanos.getAsLong();
    }

    /** That of this system. */
    public static SteadyClock system() {
        return new SteadyClock(InstantSource.system(), System::nanoTime, Instant.MIN);
    }

    @Override
    public Instant instant() {
        Instant wallNow = wall.instant();
        long nanosNow = nanos.getAsLong();
        synchronized (this) {
            long elapsed = nanosNow - lastNanos;
            if (elapsed > 0) {
                lastNanos = nanosNow;
                last = following(wallNow, last.plusNanos(elapsed), elapsed / SLEW_PART);
            }
            return last;
        }
    }

    private static Instant following(Instant wall, Instant steady, long slewMax) {
        Instant earliest = steady.minusNanos(slewMax);
        Instant latest = steady.plusNanos(slewMax);
        return wall.isBefore(earliest) ? earliest : wall.isAfter(latest) ? latest : wall;
    }
}
