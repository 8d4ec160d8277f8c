package dev.sluice.config.field;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads numbers. */
final class NumberText {

    private static final Pattern WHOLE = Pattern.compile("[+-]?(0|[1-9][0-9]{0,39})(\\.0{1,10})?");

    private NumberText() {}

    /**
     * Returns a whole number of any size; null if the text is not a whole number, or has a leading zero, which may mean
     * octal.
     */
    static @Nullable BigDecimal whole(String text) {
        return WHOLE.matcher(text).matches() ? new BigDecimal(text) : null;
    }

    /** Returns a number; null if the text is not a number, or the number is not finite. */
    static @Nullable Double finite(String text) {
        try {
            double number = Double.parseDouble(text.replace("_", ""));
            return Double.isNaN(number) || Double.isInfinite(number) ? null : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
