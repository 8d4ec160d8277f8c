package dev.sluice.simulator.workload.synthetic;

import java.time.Duration;

/**
 * How much more is submitted by day than by night: a wave around the mean, {@code 1 + a × cos(2π × (t − peak) ÷ 24 h)} with
 * {@code a = (ratio − 1) ÷ (ratio + 1)}, so that the rate at the peak is {@code ratio} times the rate twelve hours later, and a day has
 * as many arrivals as without the wave. Days are those of UTC.
 *
 * @param peak when most is submitted, after midnight; less than a day
 * @param ratio how much more that is than at the quietest time; at least 1
 */
record DailyCycle(Duration peak, double ratio) {

    /** The largest ratio. */
    static final double RATIO_MAX = 1000;

    /** Every hour is like the others. */
    static final DailyCycle NONE = new DailyCycle(Duration.ZERO, 1);

    private static final double DAY_NANOS = Duration.ofDays(1).toNanos();

    /** How often something is submitted at this time after midnight, compared with the mean. */
    double factor(long nanosOfDay) {
        double phase = (nanosOfDay - peak.toNanos()) / DAY_NANOS;
        return 1 + amplitude() * StrictMath.cos(2 * StrictMath.PI * phase);
    }

    /** The greatest factor. */
    double factorMax() {
        return 1 + amplitude();
    }

    private double amplitude() {
        return (ratio - 1) / (ratio + 1);
    }
}
