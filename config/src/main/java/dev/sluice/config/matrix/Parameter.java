package dev.sluice.config.matrix;

import dev.sluice.config.field.Field;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A parameter of a matrix.
 *
 * @param name the name, a valid name of a shell variable
 * @param values the values, as text
 * @param field where it is
 */
record Parameter(String name, List<String> values, Field field) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]{1,18}(\\.[0-9]{1,18})?");

    Parameter {
        values = List.copyOf(values);
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns whether the text is a decimal number that a range may have. */
    static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    /** Returns a text that is equal for equal values: numbers may be written in several ways. */
    static String canonical(String value) {
        return isNumber(value) ? new BigDecimal(value).stripTrailingZeros().toString() : value;
    }

    /** Returns the indexes of the values, by their canonical texts. */
    Map<String, Integer> indexes() {
        Map<String, Integer> indexes = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            indexes.put(canonical(values.get(i)), i);
        }
        return indexes;
    }
}
