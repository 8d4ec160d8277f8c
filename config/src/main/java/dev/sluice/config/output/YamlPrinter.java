package dev.sluice.config.output;

import dev.sluice.config.output.Output.Literal;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.Output.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;

/** Prints a value as YAML: what fits in a line in braces or brackets, the rest one entry per line. */
public final class YamlPrinter {

    private static final int WIDTH = 110;
    private static final String INDENT = "  ";
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z_/.][A-Za-z0-9_./@+-]*(:[A-Za-z0-9_./@+-]+)*|[0-9]+[A-Za-z]+[A-Za-z0-9]*");
    private static final Pattern NOT_TEXT = Pattern.compile(
            "(?i)true|false|yes|no|on|off|y|n|null|[-+]?\\.(inf|nan).*|[-+.0-9][0-9_.xobea-f+-]*|[-+.]+|\\.[0-9].*");
    private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");

    private final StringBuilder out = new StringBuilder();
    private final Appendable to;

    private YamlPrinter(Appendable to) {
        this.to = to;
    }

    /** The document, with a line break at its end. */
    public static String print(OutputMap document) {
        StringBuilder text = new StringBuilder();
        try {
            print(document, text);
        } catch (IOException e) {
            throw new UncheckedIOException("a text takes everything", e);
        }
        return text.toString();
    }

    /** Appends the document to this, part by part, so that no more than one part and one item is ever in memory. */
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
            StringBuilder key = new StringBuilder();
            scalar(entry.getKey(), key);
            out.append(key).append(':');
            boolean top = indent.isEmpty()
                    && entry.getValue() instanceof OutputList list
                    && !list.items().isEmpty();
            if (!top && fits(entry.getValue(), indent.length() + key.length() + 2)) {
                out.append(' ');
                flow(entry.getValue(), out, Integer.MAX_VALUE);
                out.append('\n');
            } else if (entry.getValue() instanceof OutputMap inner) {
                out.append('\n').append(indent).append(INDENT);
                block(inner, indent + INDENT);
            } else if (entry.getValue() instanceof OutputList list) {
                out.append('\n');
                items(list, indent + INDENT);
            } else {
                out.append(' ');
                flow(entry.getValue(), out, Integer.MAX_VALUE);
                out.append('\n');
            }
        }
    }

    private void items(OutputList list, String indent) throws IOException {
        for (Output item : list.items()) {
            out.append(indent).append("- ");
            if (item instanceof OutputMap map && !map.isEmpty() && !fits(map, indent.length() + 2)) {
                block(map, indent + INDENT);
            } else {
                flow(item, out, Integer.MAX_VALUE);
                out.append('\n');
            }
            if (out.length() > JsonPrinter.PART) {
                to.append(out);
                out.setLength(0);
            }
        }
    }

    private static boolean fits(Output value, int used) {
        StringBuilder line = new StringBuilder();
        return flow(value, line, WIDTH - used);
    }

    /** Appends the value in one line; false as soon as the line is longer than this. */
    private static boolean flow(Output value, StringBuilder line, int lengthMax) {
        if (value instanceof Text text) {
            scalar(text.text(), line);
        } else if (value instanceof Literal literal) {
            line.append(literal.text());
        } else if (value instanceof OutputList list) {
            line.append('[');
            String separator = "";
            for (Output item : list.items()) {
                line.append(separator);
                separator = ", ";
                if (!flow(item, line, lengthMax)) {
                    return false;
                }
            }
            line.append(']');
        } else if (value instanceof OutputMap map) {
            line.append('{');
            String separator = "";
            for (Map.Entry<String, Output> entry : map.entries().entrySet()) {
                line.append(separator);
                separator = ", ";
                scalar(entry.getKey(), line);
                line.append(": ");
                if (!flow(entry.getValue(), line, lengthMax)) {
                    return false;
                }
            }
            line.append('}');
        }
        return line.length() <= lengthMax;
    }

    private static void scalar(String text, StringBuilder to) {
        boolean plain = text.length() <= WIDTH
                && (TIME.matcher(text).matches()
                        || (PLAIN.matcher(text).matches()
                                && !NOT_TEXT.matcher(text).matches()));
        if (plain) {
            to.append(text);
        } else {
            JsonPrinter.string(text, to);
        }
    }
}
