package dev.sluice.simulator.workload.csv;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Parses numbers as they occur in tables: {@code 42}, {@code -1}, {@code 66.0}, {@code 1.5e+06}. */
final class DecimalText {

    private static final int LENGTH_MAX = 40;
    private static final int EXPONENT_DIGITS_MAX = 2;

    private DecimalText() {}

    /**
     * Returns the number; null if the text is not a number or unreasonably long, so that arithmetic with the result is
     * cheap.
     */
    static @Nullable BigDecimal parse(String text) {
        String stripped = text.strip();
        if (stripped.length() > LENGTH_MAX || !hasForm(stripped)) {
            return null;
        }
        return new BigDecimal(stripped);
    }

    /**
     * Whether a text is an optional sign, digits with at most one decimal point, and an optional exponent of few
     * digits.
     */
    private static boolean hasForm(String text) {
        int i = sign(text, 0);
        int digits = 0;
        boolean point = false;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && !point) {
                point = true;
            } else if (isDigit(c)) {
                digits++;
            } else {
                break;
            }
        }
        if (digits == 0 || i == text.length()) {
            return digits > 0;
        }
        if (text.charAt(i) != 'e' && text.charAt(i) != 'E') {
            return false;
        }
        int first = sign(text, i + 1);
        int length = text.length() - first;
        return length > 0
                && length <= EXPONENT_DIGITS_MAX
                && text.substring(first).chars().allMatch(DecimalText::isDigit);
    }

    private static int sign(String text, int i) {
        return i < text.length() && (text.charAt(i) == '-' || text.charAt(i) == '+') ? i + 1 : i;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
