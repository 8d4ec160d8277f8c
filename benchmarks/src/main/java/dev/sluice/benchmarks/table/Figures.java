package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Quantiles;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Formats numbers with three significant digits and thousands separators, without exponents. */
final class Figures {

    private static final MathContext DIGITS = new MathContext(3);

    private Figures() {}

    /** Formats a number, such as {@code 1,870,000}, {@code 0.84} or {@code 12.3}. */
    static String format(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
        return String.format(Locale.ROOT, "%,." + Math.max(0, rounded.scale()) + "f", rounded);
    }

    static String nodes(int nodes) {
        return format(nodes) + " nodes";
    }

    /** Formats the median, followed by p10 and p90 in brackets. */
    static String format(Quantiles spread) {
        return format(spread.median()) + " (" + format(spread.low()) + " to " + format(spread.high()) + ")";
    }
}
