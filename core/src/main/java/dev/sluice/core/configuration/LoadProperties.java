package dev.sluice.core.configuration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of the share policy {@code load}. The percentage belongs to a child of such a parent, the other
 * properties to the parent itself.
 *
 * @param percent class load %, a whole number, 0 or greater; null: not set, which counts as 0
 * @param rebalanceThreshold spread in percentage points above which the parent rebalances; 0: never
 * @param rebalanceMinimumDuration how long the spread must stay above the threshold; greater than 0
 */
public record LoadProperties(@Nullable Integer percent, int rebalanceThreshold, Duration rebalanceMinimumDuration) {

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
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

    public static final LoadProperties DEFAULTS = new LoadProperties(null, 0, Duration.ofMinutes(4));

    /** Returns the properties of a load class with this load %. */
    public static LoadProperties ofClass(int percent) {
        return DEFAULTS.withPercent(percent);
    }

    /** The effective load %: 0 if none is set. */
    public int percentOrZero() {
        return percent == null ? 0 : percent;
    }

    public LoadProperties withPercent(@Nullable Integer newPercent) {
        return new LoadProperties(newPercent, rebalanceThreshold, rebalanceMinimumDuration);
    }

    public LoadProperties withRebalance(int threshold, Duration minimumDuration) {
        return new LoadProperties(percent, threshold, minimumDuration);
    }
}
