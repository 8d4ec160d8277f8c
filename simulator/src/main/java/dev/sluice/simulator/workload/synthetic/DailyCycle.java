package dev.sluice.simulator.workload.synthetic;

import java.time.Duration;

/**
 * The daily variation of the submission rate, a cosine around the mean: {@code 1 + a × cos(2π × (t − peak) ÷ 24 h)}
 * with {@code a = (ratio − 1) ÷ (ratio + 1)}. The rate at the peak is {@code ratio} times the rate twelve hours later,
 * and the number of arrivals per day does not depend on the cycle. Days are in UTC.
 *
 * @param peak the time of the maximum rate after midnight; less than a day
 * @param ratio the maximum rate ÷ the minimum rate; at least 1
 */
record DailyCycle(Duration peak, double ratio) {

    /** The maximum ratio. */
    static final double RATIO_MAX = 1000;

    /** A constant rate. */
    static final DailyCycle NONE = new DailyCycle(Duration.ZERO, 1);

    private static final double DAY_NANOS = Duration.ofDays(1).toNanos();

    /** Returns the rate at this time after midnight, relative to the mean. */
    double factor(long nanosOfDay) {
        double phase = (nanosOfDay - peak.toNanos()) / DAY_NANOS;
        return 1 + amplitude() * StrictMath.cos(2 * StrictMath.PI * phase);
    }

    /** Returns the maximum factor. */
    double factorMax() {
        return 1 + amplitude();
    }

    private double amplitude() {
        return (ratio - 1) / (ratio + 1);
    }
}
