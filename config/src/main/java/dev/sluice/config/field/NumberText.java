package dev.sluice.config.field;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How numbers are written. */
final class NumberText {

    private static final Pattern WHOLE = Pattern.compile("[+-]?(0|[1-9][0-9]{0,39})(\\.0{1,10})?");

    private NumberText() {}

    /** The whole number, however large; or null if the text is none, or begins with a zero that may mean eights. */
    static @Nullable BigDecimal whole(String text) {
        return WHOLE.matcher(text).matches() ? new BigDecimal(text) : null;
    }

    /** The number; or null if the text is none, or one that is not finite. */
    static @Nullable Double finite(String text) {
        try {
            double number = Double.parseDouble(text.replace("_", ""));
            return Double.isNaN(number) || Double.isInfinite(number) ? null : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
