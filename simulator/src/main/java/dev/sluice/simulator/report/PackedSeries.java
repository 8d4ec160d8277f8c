package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Series;

/**
 * A series in two characters a point, for plots: pages of hundreds of queues are mostly series, and as numbers they take four times as
 * much and are slow to open. The script {@code figures.js} unpacks them.
 *
 * @param peak the greatest value, which stands for the highest level; 0 if none is above
 * @param levels for each point two digits to the base 64, the higher one first: 0 where there is no number, else 1 and how many of
 *     {@link #LEVELS} parts of the peak it is; what is below 0 counts as 0
 */
record PackedSeries(double peak, String levels) {

    /** Into how many parts the peak is divided: as many as two digits can tell, with 0 and without the one for no number. */
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
