package dev.sluice.config.matrix;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Text with places for the values of parameters, written {@code {name}}. Everything else that is in braces, and
 * {@code ${name}}, is left as it is.
 *
 * <p>In text that a shell reads, a backslash before the brace leaves the place as it is, and only values of harmless
 * characters are inserted. Another value is passed in a variable, and a reference to the variable is inserted instead,
 * in quotes that suit those around it. A shell does not execute what is in a variable, so no value can become code,
 * even where this class misreads the quotes (in backquotes or a here-document).
 */
final class TextTemplate {

    /** The prefix of the variables that pass values to a shell. */
    static final String VARIABLE = "SLUICE_PARAMETER_";

    /** The quotes around a place. */
    private enum Quotes {
        NONE("\"", "\""),
        SINGLE("'\"", "\"'"),
        DOUBLE("", "");

        private final String before;
        private final String after;

        Quotes(String before, String after) {
            this.before = before;
            this.after = after;
        }
    }

    /** Text, followed by the place of a parameter unless that is less than 0. */
    private record Part(String text, int parameter, Quotes quotes) {}

    private final List<Part> parts = new ArrayList<>();
    private final BitSet used = new BitSet();
    private final boolean isShell;

    private TextTemplate(boolean isShell) {
        this.isShell = isShell;
    }

    /** Returns the template of a text, which a shell reads or not. */
    static TextTemplate of(String text, List<Parameter> parameters, boolean isShell) {
        TextTemplate template = new TextTemplate(isShell);
        Deque<Quotes> around = new ArrayDeque<>(); // the quotes around each parenthesis that is open
        Quotes quotes = Quotes.NONE;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char before = i == 0 ? ' ' : text.charAt(i - 1);
            int parameter = c == '{' && before != '$' ? parameterAt(text, i, parameters) : -1;
            if (parameter >= 0) {
                template.parts.add(new Part(text.substring(start, i), parameter, quotes));
                template.used.set(parameter);
                i += parameters.get(parameter).name().length() + 1;
                start = i + 1;
            } else if (isShell && c == '\\' && quotes != Quotes.SINGLE) {
                i++;
            } else if (isShell && c == '\'' && quotes != Quotes.DOUBLE) {
                quotes = quotes == Quotes.SINGLE ? Quotes.NONE : Quotes.SINGLE;
            } else if (isShell && c == '"' && quotes != Quotes.SINGLE) {
                quotes = quotes == Quotes.DOUBLE ? Quotes.NONE : Quotes.DOUBLE;
            } else if (isShell && c == '(' && (quotes == Quotes.NONE || (quotes == Quotes.DOUBLE && before == '$'))) {
                around.push(quotes);
                quotes = Quotes.NONE;
            } else if (isShell && c == ')' && quotes == Quotes.NONE && !around.isEmpty()) {
                quotes = around.pop();
            } else if (isShell && c == '#' && quotes == Quotes.NONE && Character.isWhitespace(before)) {
                int end = text.indexOf('\n', i);
                i = end < 0 ? text.length() : end;
            }
        }
        template.parts.add(new Part(text.substring(start), -1, quotes));
        return template;
    }

    /** Returns the parameter whose name is in braces at this position, or -1. */
    private static int parameterAt(String text, int open, List<Parameter> parameters) {
        for (int i = 0; i < parameters.size(); i++) {
            String name = parameters.get(i).name();
            int close = open + 1 + name.length();
            if (close < text.length() && text.charAt(close) == '}' && text.startsWith(name, open + 1)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the parameters that have a place in the text. */
    BitSet used() {
        return used;
    }

    /** Returns the text with these values, by parameter. */
    String with(List<Parameter> parameters, List<String> values) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            text.append(part.text);
            if (part.parameter >= 0) {
                String value = values.get(part.parameter);
                if (!isShell || isPlain(value)) {
                    text.append(value);
                } else {
                    String variable = VARIABLE + parameters.get(part.parameter).name();
                    text.append(part.quotes.before)
                            .append("${")
                            .append(variable)
                            .append('}')
                            .append(part.quotes.after);
                }
            }
        }
        return text.toString();
    }

    /** Returns whether no shell treats any character of this text specially. */
    static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "._-/:@%+,".indexOf(c) >= 0;
            if (!plain) {
                return false;
            }
        }
        return !value.isEmpty();
    }
}
