package dev.sluice.benchmarks.rounds;

import java.util.Arrays;
import java.util.Locale;

/**
 * What repeated measurements of one thing came to.
 *
 * @param median the median
 * @param low a tenth of the measurements are below
 * @param high a tenth of the measurements are above
 */
public record Quantiles(double median, double low, double high) {

    /** The spread of these values, which are at least one. */
    public static Quantiles of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quantiles(at(sorted, 0.5), at(sorted, 0.1), at(sorted, 0.9));
    }

    /** Between two values as far as the fraction says. */
    private static double at(double[] sorted, double fraction) {
        double position = fraction * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** One divided by it: of seconds for each, how many in a second. */
    public Quantiles inverse() {
        return new Quantiles(1 / median, 1 / high, 1 / low);
    }

    /** As many times as much. */
    public Quantiles times(double factor) {
        return new Quantiles(median * factor, low * factor, high * factor);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3g (%.3g to %.3g)", median, low, high);
    }
}
