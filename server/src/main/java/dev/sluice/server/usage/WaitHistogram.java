package dev.sluice.server.usage;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts durations so that quantiles are exact to 0.8 %; the mean is exact. */
public final class WaitHistogram {

    /** The binary digits that are kept of a value. */
    private static final int DIGITS = 8;

    private final Map<Integer, long[]> buckets = new HashMap<>();
    private long count;
    private double nanos;
    private long max;

    /** Adds a duration, not negative. */
    void add(long value) {
        buckets.computeIfAbsent(bucket(value), bucket -> new long[1])[0]++;
        count++;
        nanos += value;
        max = Math.max(max, value);
    }

    /** Adds the durations of another one. */
    void add(WaitHistogram other) {
        other.buckets.forEach(
                (bucket, number) -> buckets.computeIfAbsent(bucket, known -> new long[1])[0] += number[0]);
        count += other.count;
        nanos += other.nanos;
        max = Math.max(max, other.max);
    }

    public long count() {
        return count;
    }

    /** Returns the mean in seconds; 0 if there are no durations. */
    public double mean() {
        return count == 0 ? 0 : nanos / count / 1e9;
    }

    /**
     * Returns a quantile in seconds: the upper bound of the values in its bucket; 0 if there are no durations.
     *
     * @param share from 0 to 1
     */
    public double quantile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        for (var bucket : new TreeMap<>(buckets).entrySet()) {
            rank -= bucket.getValue()[0];
            if (rank <= 0) {
                return Math.min(max, largest(bucket.getKey())) / 1e9;
            }
        }
        return 0;
    }

    /** Returns the number of dropped binary digits, and the kept ones. */
    private static int bucket(long value) {
        int dropped = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - DIGITS);
        return (dropped << DIGITS) + (int) (value >>> dropped);
    }

    private static long largest(int bucket) {
        int dropped = bucket >>> DIGITS;
        long kept = bucket & ((1 << DIGITS) - 1);
        return (kept << dropped) + (1L << dropped) - 1;
    }
}
