package dev.sluice.config.yaml;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Text, a number, a truth value or null, as written.
 *
 * @param text the text without quotes
 * @param quoted whether it is text whatever it looks like
 * @param line the line, from 1
 * @param column the column, from 1
 */
public record YamlScalar(String text, boolean quoted, int line, int column) implements YamlValue {

    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?([0-9][0-9_]*|0x[0-9a-fA-F]+|0o[0-7]+|(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|\\.(inf|Inf|INF))"
                    + "|\\.(nan|NaN|NAN)");

    /** Returns whether the value is null: empty, {@code ~} or {@code null}. */
    public boolean isNull() {
        return !quoted
                && switch (text) {
                    case "", "~", "null", "Null", "NULL" -> true;
                    default -> false;
                };
    }

    /**
     * Returns whether the value is a truth value: {@code true} and {@code false}, or the words of YAML 1.1 such as
     * {@code yes}.
     */
    public boolean isFlag() {
        return isTrue() || isFalse();
    }

    /** Returns whether the value is a truth value that means true. */
    public boolean isTrue() {
        return isWord("true", "yes", "on", "y");
    }

    private boolean isFalse() {
        return isWord("false", "no", "off", "n");
    }

    private boolean isWord(String... words) {
        if (!quoted && text.length() <= 5) {
            for (String word : words) {
                if (text.equals(word)
                        || text.equals(word.toUpperCase(Locale.ROOT))
                        || text.equals(Character.toUpperCase(word.charAt(0)) + word.substring(1))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether YAML reads the value as a number. */
    public boolean isNumber() {
        return !quoted && text.length() <= 100 && NUMBER.matcher(text).matches();
    }

    /** Returns whether YAML reads the value as text, not as a number, a truth value or null. */
    public boolean isText() {
        return quoted || !(isNull() || isNumber() || text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"));
    }

    @Override
    public String kind() {
        if (isNull()) {
            return "nothing";
        }
        return isText() ? "text" : isNumber() ? "a number" : "true or false";
    }
}
