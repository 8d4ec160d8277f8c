package dev.sluice.runtime.host;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock for timers: it advances with a monotonic clock and gradually follows the wall clock.
 *
 * <p>It normally equals the wall clock. When the wall clock jumps, in either direction, this clock runs faster or
 * slower by a {@link #SLEW_PART tenth} until both agree. So measured durations are wrong by at most a tenth, and the
 * clock always advances and never goes backwards. It starts no earlier than the last event of the journal: a journal
 * written while the wall clock was ahead delays no timer.
 *
 * <p>Thread-safe.
 */
public final class SteadyClock implements InstantSource {

    /** The maximum adjustment of the speed is one part in this many. */
    static final int SLEW_PART = 10;

    private final InstantSource wall;
    private final LongSupplier nanos;
    private Instant last;
    private long lastNanos;

    /**
     * Creates a clock that starts now.
     *
     * @param wall the time of day, which may jump
     * @param nanos a monotonic clock in nanoseconds with an arbitrary origin
     * @param notBefore the earliest instant it returns
     */
    public SteadyClock(InstantSource wall, LongSupplier nanos, Instant notBefore) {
        this.wall = wall;
        this.nanos = nanos;
        Instant now = wall.instant();
        this.last = now.isAfter(notBefore) ? now : notBefore;
        this.lastNanos = nanos.getAsLong();
    }

    /** Creates a clock that follows the system clock. */
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
