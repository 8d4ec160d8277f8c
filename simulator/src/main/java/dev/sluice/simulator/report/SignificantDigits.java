package dev.sluice.simulator.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Formats decimal numbers with a limited number of significant digits, independently of the platform. */
final class SignificantDigits {

    /** Powers of ten that a double represents exactly. */
    private static final double[] POWERS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14
    };

    /** The smallest value of the fast path: with nine digits it is multiplied by at most the last power. */
    private static final double LEAST = 1e-5;

    private static final double PLAIN_MAX = 1e15;

    private SignificantDigits() {}

    /**
     * Appends a number with at most {@code digits} significant digits (at most 9) and without trailing zeros:
     * {@code 0.25}, {@code 12}, {@code 1.5E+18}; {@code null} if it is not finite.
     */
    static void append(double value, int digits, StringBuilder to) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            to.append("null");
        } else if (size == 0) {
            to.append('0');
        } else if (size < LEAST || size >= POWERS[digits]) {
            others(value, digits, to);
        } else {
            int decimals = digits;
            for (int whole = 0; size >= POWERS[whole]; whole++) {
                decimals--;
            }
            for (int zeros = 1; size * POWERS[zeros] < 1; zeros++) {
                decimals++;
            }
            if (value < 0) {
                to.append('-');
            }
            decimal(Math.round(size * POWERS[decimals]), decimals, to);
        }
    }

    private static void decimal(long scaled, int decimals, StringBuilder to) {
        long power = (long) POWERS[decimals];
        to.append(scaled / power);
        long rest = scaled % power;
        if (rest == 0) {
            return;
        }
        to.append('.');
        while (rest > 0) {
            power /= 10;
            to.append((char) ('0' + rest / power));
            rest %= power;
        }
    }

    private static void others(double value, int digits, StringBuilder to) {
        BigDecimal rounded = BigDecimal.valueOf(value)
                .round(new MathContext(digits, RoundingMode.HALF_UP))
                .stripTrailingZeros();
        to.append(
                Math.abs(value) < PLAIN_MAX && Math.abs(value) >= 1e-9 ? rounded.toPlainString() : rounded.toString());
    }
}
