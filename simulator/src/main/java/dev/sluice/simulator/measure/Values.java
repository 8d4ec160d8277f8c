package dev.sluice.simulator.measure;

import dev.sluice.simulator.figures.Distribution;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.PackedHistogram;
import org.jspecify.annotations.Nullable;

/** Many values of which only how they are spread is kept, in memory that does not grow with their number. */
final class Values {

    /** Values are counted in thousandths, so that slowdowns of 1.001 and milliseconds are told apart. */
    private static final double UNITS = 1000;

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long COUNTED_MAX = Long.MAX_VALUE / 4;

    private @Nullable AbstractHistogram histogram;
    private long count;
    private double sum;
    private double max;

    /** Counts a value, 0 or more. */
    void add(double value) {
        if (histogram == null) {
            histogram = new PackedHistogram(SIGNIFICANT_DIGITS);
        }
        histogram.recordValue(Math.round(Math.min(value * UNITS, COUNTED_MAX)));
        count++;
        sum += value;
        max = Math.max(max, value);
    }

    /** Counts all that the other one has counted. */
    void addAll(Values other) {
        if (other.histogram == null) {
            return;
        }
        if (histogram == null) {
            histogram = new PackedHistogram(SIGNIFICANT_DIGITS);
        }
        histogram.add(other.histogram);
        count += other.count;
        sum += other.sum;
        max = Math.max(max, other.max);
    }

    long count() {
        return count;
    }

    double mean() {
        return count == 0 ? 0 : sum / count;
    }

    double max() {
        return max;
    }

    Distribution distribution() {
        if (histogram == null) {
            return Distribution.EMPTY;
        }
        List<Double> curve = new ArrayList<>();
        for (double percentile : Distribution.PERCENTILES) {
            curve.add(at(percentile));
        }
        return new Distribution(count, mean(), at(50), at(90), at(99), max, curve);
    }

    /** The value at a percentile: the smallest that the histogram cannot tell from it, so that what is told apart is exact. */
    private double at(double percentile) {
        if (histogram == null || percentile >= 100) {
            return max;
        }
        return Math.min(max, histogram.lowestEquivalentValue(histogram.getValueAtPercentile(percentile)) / UNITS);
    }
}
