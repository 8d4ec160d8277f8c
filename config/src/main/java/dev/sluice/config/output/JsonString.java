package dev.sluice.config.output;

import java.util.Locale;

/**
 * Strings of JSON, in double quotes. Characters that are invisible, or that an encoding or YAML refuses, are escaped.
 */
public final class JsonString {

    private JsonString() {}

    /** Appends a string that both JSON and YAML read as this text. */
    public static void append(String text, StringBuilder to) {
        append(text, false, to);
    }

    /** Appends a string for a script element of a page: all characters with a meaning in HTML are escaped, too. */
    public static void appendToScript(String text, StringBuilder to) {
        append(text, true, to);
    }

    private static void append(String text, boolean inScript, StringBuilder to) {
        to.append('"');
        int done = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (needsEscape(c) || (inScript && (c == '<' || c == '>' || c == '&'))) {
                to.append(text, done, i);
                escape(c, to);
                done = i + 1;
            }
        }
        to.append(text, done, text.length()).append('"');
    }

    private static boolean needsEscape(char c) {
        return c < 0x20
                || c == '"'
                || c == '\\'
                || (c >= 0x7f && c <= 0xa0)
                || c == 0x2028
                || c == 0x2029
                || Character.isSurrogate(c)
                || c == 0xfeff
                || c >= 0xfffe;
    }

    private static void escape(char c, StringBuilder to) {
        switch (c) {
            case '"' -> to.append("\\\"");
            case '\\' -> to.append("\\\\");
            case '\n' -> to.append("\\n");
            case '\t' -> to.append("\\t");
            case '\r' -> to.append("\\r");
            default -> to.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
        }
    }
}
