package dev.sluice.core.application;

import java.time.Duration;
import java.time.Instant;

/** The end of a duration. */
public final class Deadline {

    private Deadline() {}

    /**
     * Returns the instant this much later, or the maximum instant if that is less than a second later or would be
     * exceeded.
     */
    public static Instant after(Instant from, Duration duration) {
        // Duration.between would create an exception each time, because the nanoseconds until then exceed a long
        long secondsLeft = Instant.MAX.getEpochSecond() - from.getEpochSecond();
        return duration.toSeconds() < secondsLeft ? from.plus(duration) : Instant.MAX;
    }
}
