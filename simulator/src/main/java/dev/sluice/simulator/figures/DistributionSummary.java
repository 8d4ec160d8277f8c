package dev.sluice.simulator.figures;

import java.util.List;

/**
 * Summary of a distribution of values. Percentiles have a relative error of at most 0.1 %; mean and maximum are exact.
 *
 * @param count the number of values
 * @param mean their mean; 0 without values
 * @param p50 the median
 * @param p90 the 90th percentile
 * @param p99 the 99th percentile
 * @param max the maximum
 * @param curve the values at the percentiles {@link #PERCENTILES}; empty without values
 */
public record DistributionSummary(
        long count, double mean, double p50, double p90, double p99, double max, List<Double> curve) {

    /** The summary of no values. */
    public static final DistributionSummary EMPTY = new DistributionSummary(0, 0, 0, 0, 0, 0, List.of());

    /** The percentiles at which {@link #curve} is sampled. */
    public static final List<Double> PERCENTILES = List.of(
            0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0, 80.0, 85.0,
            90.0, 92.5, 95.0, 97.5, 99.0, 99.5, 99.9, 100.0);

    public DistributionSummary {
        curve = List.copyOf(curve);
    }
}
