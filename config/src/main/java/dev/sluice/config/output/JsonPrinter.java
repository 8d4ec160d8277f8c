package dev.sluice.config.output;

import dev.sluice.config.output.Output.Literal;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.Output.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Map;

/** Prints a value as JSON, with one line for each item of the outermost lists. */
public final class JsonPrinter {

    private static final int DEPTH_BROKEN_MAX = 2;

    /** The minimum number of characters that are collected before they are written. */
    static final int PART = 1 << 13;

    private final StringBuilder out = new StringBuilder();
    private final Appendable to;
    private final int depthBrokenMax;

    private JsonPrinter(Appendable to, int depthBrokenMax) {
        this.to = to;
        this.depthBrokenMax = depthBrokenMax;
    }

    /** Returns the document, with a line break at its end. */
    public static String print(OutputMap document) {
        return print(document, DEPTH_BROKEN_MAX);
    }

    /** Returns the document with one line for each item and each key, and a line break at its end. */
    public static String printIndented(OutputMap document) {
        return print(document, Integer.MAX_VALUE);
    }

    /** Returns the document in one line, without a line break at its end. */
    public static String printLine(OutputMap document) {
        return print(document, 0).stripTrailing();
    }

    private static String print(OutputMap document, int depthBrokenMax) {
        StringBuilder text = new StringBuilder();
        try {
            print(document, text, depthBrokenMax);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot append to a string builder", e);
        }
        return text.toString();
    }

    /** Writes the document in parts, so that at most one part and one item are in memory. */
    public static void print(OutputMap document, Appendable to) throws IOException {
        print(document, to, DEPTH_BROKEN_MAX);
    }

    private static void print(OutputMap document, Appendable to, int depthBrokenMax) throws IOException {
        JsonPrinter printer = new JsonPrinter(to, depthBrokenMax);
        printer.value(document, 0);
        to.append(printer.out.append('\n'));
    }

    private void value(Output value, int depth) throws IOException {
        if (value instanceof Text text) {
            JsonString.append(text.text(), out);
        } else if (value instanceof Literal literal) {
            out.append(literal.text());
        } else if (value instanceof OutputList list) {
            out.append('[');
            for (Iterator<Output> items = list.items().iterator(); items.hasNext(); ) {
                lineBreak(depth + 1);
                value(items.next(), depth + 1);
                out.append(items.hasNext() ? "," : "");
                flush();
            }
            if (!list.items().isEmpty() && depth < depthBrokenMax) {
                lineBreak(depth);
            }
            out.append(']');
        } else if (value instanceof OutputMap map) {
            out.append('{');
            for (Iterator<Map.Entry<String, Output>> entries =
                            map.entries().entrySet().iterator();
                    entries.hasNext(); ) {
                Map.Entry<String, Output> entry = entries.next();
                lineBreak(depth + 1);
                JsonString.append(entry.getKey(), out);
                out.append(": ");
                value(entry.getValue(), depth + 1);
                out.append(entries.hasNext() ? "," : "");
            }
            if (!map.isEmpty() && depth < depthBrokenMax) {
                lineBreak(depth);
            }
            out.append('}');
        }
    }

    /** Writes the collected text, except the last character, on which the next one depends. */
    private void flush() throws IOException {
        if (out.length() > PART) {
            int end = out.length() - 1;
            to.append(out, 0, end);
            out.delete(0, end);
        }
    }

    private void lineBreak(int depth) {
        if (depth <= depthBrokenMax) {
            out.append('\n').append("  ".repeat(depth));
        } else if (out.charAt(out.length() - 1) == ',') {
            out.append(' ');
        }
    }
}
