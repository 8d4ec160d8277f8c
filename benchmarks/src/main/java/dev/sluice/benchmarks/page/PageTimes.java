package dev.sluice.benchmarks.page;

import java.util.Arrays;

/**
 * How long a page took, in milliseconds.
 *
 * @param first the first request after the start of the server
 * @param p50 the median of the others
 * @param bytes the size of the page
 */
record PageTimes(String page, double first, double p50, double p95, double max, int bytes) {

    static PageTimes of(String page, double first, double[] others, int bytes) {
        double[] sorted = others.clone();
        Arrays.sort(sorted);
        return new PageTimes(page, first, rank(sorted, 0.5), rank(sorted, 0.95), sorted[sorted.length - 1], bytes);
    }

    /** Returns the smallest value that is not exceeded by this share of all. */
    private static double rank(double[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
