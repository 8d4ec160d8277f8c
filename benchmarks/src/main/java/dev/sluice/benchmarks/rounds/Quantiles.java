package dev.sluice.benchmarks.rounds;

import java.util.Arrays;
import java.util.Locale;

/**
 * The quantiles of repeated measurements.
 *
 * @param median the median
 * @param low the 10th percentile
 * @param high the 90th percentile
 */
public record Quantiles(double median, double low, double high) {

    /** Returns the quantiles of at least one value. */
    public static Quantiles of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quantiles(at(sorted, 0.5), at(sorted, 0.1), at(sorted, 0.9));
    }

    /** Interpolates linearly between two values. */
    private static double at(double[] sorted, double fraction) {
        double position = fraction * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** Returns the quantiles of the inverse values, for example the rate for a duration. */
    public Quantiles inverse() {
        return new Quantiles(1 / median, 1 / high, 1 / low);
    }

    /** Returns the quantiles of the values multiplied by a factor. */
    public Quantiles times(double factor) {
        return new Quantiles(median * factor, low * factor, high * factor);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3g (%.3g to %.3g)", median, low, high);
    }
}
