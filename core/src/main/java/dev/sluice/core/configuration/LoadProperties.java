package dev.sluice.core.configuration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the share policy {@code load} goes by. The percentage is of a queue below such a parent, the rest of the parent itself.
 *
 * @param percent class load %, a whole number, 0 or more; null: not given, which counts as 0
 * @param rebalanceThreshold spread in percentage points above which the parent rebalances; 0: never
 * @param rebalanceMinimumDuration how long the spread must stay above the threshold; longer than nothing
 */
public record LoadProperties(@Nullable Integer percent, int rebalanceThreshold, Duration rebalanceMinimumDuration) {

    /** Throws {@link IllegalArgumentException} when a value is out of its range. */
    public LoadProperties {
        if (percent != null && percent < 0) {
            throw new IllegalArgumentException("load percentage must be 0 or greater, not " + percent);
        }
        if (rebalanceThreshold < 0) {
            throw new IllegalArgumentException(
                    "rebalance threshold must be 0 (off) or more percentage points, not " + rebalanceThreshold);
        }
        if (rebalanceMinimumDuration.isNegative() || rebalanceMinimumDuration.isZero()) {
            throw new IllegalArgumentException(
                    "rebalance minimum duration must be greater than 0, not " + rebalanceMinimumDuration);
        }
    }

    /** What holds when nothing is given. */
    public static final LoadProperties DEFAULTS = new LoadProperties(null, 0, Duration.ofMinutes(4));

    /** A class with this load %. */
    public static LoadProperties ofClass(int percent) {
        return DEFAULTS.withPercent(percent);
    }

    /** The load % that counts: 0 where none is given. */
    public int percentOrZero() {
        return percent == null ? 0 : percent;
    }

    /** These with another load %. */
    public LoadProperties withPercent(@Nullable Integer newPercent) {
        return new LoadProperties(newPercent, rebalanceThreshold, rebalanceMinimumDuration);
    }

    /** These with another way to rebalance. */
    public LoadProperties withRebalance(int threshold, Duration minimumDuration) {
        return new LoadProperties(percent, threshold, minimumDuration);
    }
}
