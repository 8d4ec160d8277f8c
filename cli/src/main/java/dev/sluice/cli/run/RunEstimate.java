package dev.sluice.cli.run;

import java.time.Duration;
import java.time.Instant;

/**
 * An estimate of when a run ends.
 *
 * @param at time of the estimate
 * @param end estimated end
 * @param ended number of tasks that have ended
 * @param tasks number of tasks
 */
public record RunEstimate(Instant at, Instant end, long ended, long tasks) {

    /** Returns the remaining time, such as {@code about 3 min left}; empty if the estimated end has passed. */
    String left(Instant now) {
        Duration left = Duration.between(now, end);
        return left.isNegative() || left.isZero() ? "" : "about " + RunDurations.rounded(left) + " left";
    }
}
