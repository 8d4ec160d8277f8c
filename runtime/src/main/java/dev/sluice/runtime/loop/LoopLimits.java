package dev.sluice.runtime.loop;

import java.time.Duration;

/**
 * What the loop takes upon itself at a time.
 *
 * @param inbox how many transactions may wait; more are refused
 * @param batch how many transactions are done before what they did is written
 * @param remembered how many applications that have ended each partition remembers; those that ended first are forgotten first
 * @param retry the longest time between two tries to write the journal
 */
public record LoopLimits(int inbox, int batch, int remembered, Duration retry) {

    /** What holds if nobody says otherwise. */
    public static final LoopLimits DEFAULT = new LoopLimits(20_000, 2_000, 10_000, Duration.ofSeconds(1));

    /** Throws {@link IllegalArgumentException} for limits that let nothing happen. */
    public LoopLimits {
        if (inbox < 1 || batch < 1 || remembered < 0 || retry.isNegative() || retry.isZero()) {
            throw new IllegalArgumentException("a loop takes in and does at least one thing at a time");
        }
    }
}
