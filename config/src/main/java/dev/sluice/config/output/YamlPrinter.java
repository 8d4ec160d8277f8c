package dev.sluice.config.output;

import dev.sluice.config.output.Output.Literal;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.Output.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Prints a value as YAML: what fits into a line in braces or brackets, everything else with one entry per line. */
public final class YamlPrinter {

    private static final int WIDTH = 110;
    private static final String INDENT = "  ";
    private final StringBuilder out = new StringBuilder();
    private final Appendable to;

    private YamlPrinter(Appendable to) {
        this.to = to;
    }

    /** Returns the document, with a line break at its end. */
    public static String print(OutputMap document) {
        StringBuilder text = new StringBuilder();
        try {
            print(document, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot append to a string builder", e);
        }
        return text.toString();
    }

    /** Writes the document in parts, so that at most one part and one item are in memory. */
    public static void print(OutputMap document, Appendable to) throws IOException {
        YamlPrinter printer = new YamlPrinter(to);
        if (document.isEmpty()) {
            printer.out.append("{}\n");
        } else {
            printer.block(document, "");
        }
        to.append(printer.out);
    }

    private void block(OutputMap map, String indent) throws IOException {
        boolean first = true;
        for (Map.Entry<String, Output> entry : map.entries().entrySet()) {
            if (!first) {
                out.append(indent);
            }
            first = false;
            int begin = out.length();
            scalar(entry.getKey(), out);
            int used = indent.length() + out.length() - begin + 2;
            out.append(':');
            boolean top = indent.isEmpty()
                    && entry.getValue() instanceof OutputList list
                    && !list.items().isEmpty();
            if (!top && line(" ", entry.getValue(), used)) {
                out.append('\n');
            } else if (entry.getValue() instanceof OutputMap inner) {
                out.append('\n').append(indent).append(INDENT);
                block(inner, indent + INDENT);
            } else if (entry.getValue() instanceof OutputList list) {
                out.append('\n');
                items(list, indent + INDENT);
            } else {
                out.append(' ');
                flow(entry.getValue(), Integer.MAX_VALUE);
                out.append('\n');
            }
        }
    }

    private void items(OutputList list, String indent) throws IOException {
        for (Output item : list.items()) {
            out.append(indent).append("- ");
            if (!(item instanceof OutputMap map) || map.isEmpty()) {
                flow(item, Integer.MAX_VALUE);
                out.append('\n');
            } else if (line("", map, indent.length() + 2)) {
                out.append('\n');
            } else {
                block(map, indent + INDENT);
            }
            if (out.length() > JsonPrinter.PART) {
                to.append(out);
                out.setLength(0);
            }
        }
    }

    /**
     * Appends the separator and the value if they fit into the rest of a line with {@code used} characters; appends
     * nothing otherwise.
     */
    private boolean line(String separator, Output value, int used) {
        int lengthMax = WIDTH - used;
        if (lengthAtLeast(value, lengthMax) > lengthMax) {
            return false;
        }
        int begin = out.length();
        out.append(separator);
        boolean fits = flow(value, out.length() + lengthMax);
        if (!fits) {
            out.setLength(begin);
        }
        return fits;
    }

    /**
     * Returns a lower bound of the length of a value in one line, or any number greater than {@code lengthMax}. Items
     * of lists are not counted, since they may be created on access.
     */
    private static int lengthAtLeast(Output value, int lengthMax) {
        if (value instanceof Text text) {
            return text.text().length();
        }
        if (value instanceof Literal literal) {
            return literal.text().length();
        }
        if (value instanceof OutputMap map) {
            int length = 0;
            for (Map.Entry<String, Output> entry : map.entries().entrySet()) {
                length += entry.getKey().length() + 4 + lengthAtLeast(entry.getValue(), lengthMax);
                if (length > lengthMax) {
                    break;
                }
            }
            return length;
        }
        return 2;
    }

    /** Appends the value in one line; returns false as soon as the text is longer than {@code textMax}. */
    private boolean flow(Output value, int textMax) {
        if (value instanceof Text text) {
            scalar(text.text(), out);
        } else if (value instanceof Literal literal) {
            out.append(literal.text());
        } else if (value instanceof OutputList list) {
            out.append('[');
            String separator = "";
            for (Output item : list.items()) {
                out.append(separator);
                separator = ", ";
                if (!flow(item, textMax)) {
                    return false;
                }
            }
            out.append(']');
        } else if (value instanceof OutputMap map) {
            out.append('{');
            String separator = "";
            for (Map.Entry<String, Output> entry : map.entries().entrySet()) {
                out.append(separator);
                separator = ", ";
                scalar(entry.getKey(), out);
                out.append(": ");
                if (!flow(entry.getValue(), textMax)) {
                    return false;
                }
            }
            out.append('}');
        }
        return out.length() <= textMax;
    }

    private static void scalar(String text, StringBuilder to) {
        if (text.length() <= WIDTH && PlainScalar.is(text)) {
            to.append(text);
        } else {
            JsonString.append(text, to);
        }
    }
}
