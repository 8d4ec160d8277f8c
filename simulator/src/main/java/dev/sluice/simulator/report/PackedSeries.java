package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Series;

/**
 * A series encoded in two characters per point, for plots. Pages with hundreds of queues consist mostly of series,
 * which take four times the space as numbers and are slow to parse. The script {@code figures.js} decodes them.
 *
 * @param peak the maximum value, which is encoded as the highest level; 0 if no value is greater than 0
 * @param levels two base-64 digits per point, the higher one first: 0 if there is no number, else 1 plus the value in
 *     units of the peak ÷ {@link #LEVELS}; negative values are encoded as 0
 */
record PackedSeries(double peak, String levels) {

    /**
     * The number of steps up to the peak: the range of two digits, without the codes for zero and for a missing number.
     */
    static final int LEVELS = 64 * 64 - 2;

    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    static PackedSeries of(Series series) {
        double peak = 0;
        for (double value : series.values()) {
            if (Double.isFinite(value)) {
                peak = Math.max(peak, value);
            }
        }
        StringBuilder levels = new StringBuilder(2 * series.values().size());
        for (double value : series.values()) {
            int level = level(value, peak);
            levels.append(DIGITS.charAt(level / 64)).append(DIGITS.charAt(level % 64));
        }
        return new PackedSeries(peak, levels.toString());
    }

    private static int level(double value, double peak) {
        if (!Double.isFinite(value)) {
            return 0;
        }
        return 1 + (value <= 0 ? 0 : (int) Math.round(value / peak * LEVELS));
    }
}
