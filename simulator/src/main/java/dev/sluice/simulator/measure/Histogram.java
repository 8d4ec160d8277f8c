package dev.sluice.simulator.measure;

import dev.sluice.simulator.figures.DistributionSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A histogram with a relative precision of one part in a thousand. Its memory does not grow with the number of values.
 *
 * <p>Buckets: values below {@link #EXACT_MAX} thousandths have one bucket each; above, there are {@code 1,024} buckets
 * per doubling, so that a bucket is never wider than a thousandth of its values. Only non-empty buckets take memory, in
 * a hash table with open addressing; adding a value touches one bucket. (HdrHistogram has the same buckets, but takes
 * 175 kB for a few values or, packed, some microseconds to add one.)
 */
final class Histogram {

    /** Values are counted in thousandths, which resolves slowdowns of 1.001 and milliseconds. */
    private static final double UNITS = 1000;

    private static final int MANTISSA_BITS = 10;
    private static final long EXACT_MAX = 1L << (MANTISSA_BITS + 1);
    private static final int EMPTY = -1;
    private static final long UNITS_MAX = Long.MAX_VALUE / 4;

    private int[] buckets = {};
    private long[] counts = {};
    private int used;
    private long count;
    private double sum;
    private double max;

    /** Adds a value of at least 0. */
    void add(double value) {
        add(bucket(Math.round(Math.min(value * UNITS, (double) UNITS_MAX))), 1);
        count++;
        sum += value;
        max = Math.max(max, value);
    }

    /** Adds all values of another histogram. */
    void addAll(Histogram other) {
        for (int i = 0; i < other.buckets.length; i++) {
            if (other.buckets[i] != EMPTY) {
                add(other.buckets[i], other.counts[i]);
            }
        }
        count += other.count;
        sum += other.sum;
        max = Math.max(max, other.max);
    }

    private void add(int bucket, long times) {
        if (used * 2 >= buckets.length) {
            grow();
        }
        int slot = slot(bucket);
        if (buckets[slot] == EMPTY) {
            buckets[slot] = bucket;
            used++;
        }
        counts[slot] += times;
    }

    private int slot(int bucket) {
        int mask = buckets.length - 1;
        int slot = ((bucket * 0x9E3779B9) >>> 7) & mask;
        while (buckets[slot] != EMPTY && buckets[slot] != bucket) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldBuckets = buckets;
        long[] oldCounts = counts;
        buckets = new int[Math.max(8, oldBuckets.length * 2)];
        Arrays.fill(buckets, EMPTY);
        counts = new long[buckets.length];
        for (int i = 0; i < oldBuckets.length; i++) {
            if (oldBuckets[i] != EMPTY) {
                int slot = slot(oldBuckets[i]);
                buckets[slot] = oldBuckets[i];
                counts[slot] = oldCounts[i];
            }
        }
    }

    /** Returns the bucket of a value in units. */
    private static int bucket(long units) {
        if (units < EXACT_MAX) {
            return (int) units;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(units) - MANTISSA_BITS;
        return (shift << MANTISSA_BITS) + (int) (units >> shift);
    }

    /** Returns the smallest value of a bucket, in units. */
    private static long minUnits(int bucket) {
        if (bucket < EXACT_MAX) {
            return bucket;
        }
        int shift = (bucket >> MANTISSA_BITS) - 1;
        return (long) (bucket - (shift << MANTISSA_BITS)) << shift;
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

    DistributionSummary distribution() {
        if (count == 0) {
            return DistributionSummary.EMPTY;
        }
        int[] order = Arrays.stream(buckets)
                .filter(bucket -> bucket != EMPTY)
                .sorted()
                .toArray();
        long[] upTo = new long[order.length];
        long sumOfCounts = 0;
        for (int i = 0; i < order.length; i++) {
            sumOfCounts += counts[slot(order[i])];
            upTo[i] = sumOfCounts;
        }
        List<Double> curve = new ArrayList<>();
        for (double percentile : DistributionSummary.PERCENTILES) {
            curve.add(at(percentile, order, upTo));
        }
        return new DistributionSummary(
                count, mean(), at(50, order, upTo), at(90, order, upTo), at(99, order, upTo), max, curve);
    }

    /** Returns the value at a percentile: the ⌈percentile ÷ 100 × count⌉-th smallest value, at least the first. */
    private double at(double percentile, int[] order, long[] upTo) {
        long rank = Math.max(1, (long) Math.ceil(percentile / 100 * count - 1e-9));
        int found = Arrays.binarySearch(upTo, rank);
        int index = found >= 0 ? found : -found - 1;
        return rank == count ? max : Math.min(max, minUnits(order[index]) / UNITS);
    }
}
