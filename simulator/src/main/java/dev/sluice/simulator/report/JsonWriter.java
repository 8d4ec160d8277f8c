package dev.sluice.simulator.report;

import dev.sluice.config.output.JsonString;
import java.io.IOException;

/** A streaming JSON writer that buffers a few thousand characters until {@link #flush}. */
final class JsonWriter {

    /** Where the JSON is embedded. */
    enum OutputTarget {
        /** A JSON document. */
        DOCUMENT,
        /** A script element of a page: all characters with a meaning in HTML are escaped. */
        SCRIPT
    }

    private static final int BUFFER_MAX = 8192;

    private final Appendable target;
    private final OutputTarget outputTarget;
    private final StringBuilder out = new StringBuilder(BUFFER_MAX + 1024);
    private boolean first = true;

    JsonWriter(Appendable target, OutputTarget outputTarget) {
        this.target = target;
        this.outputTarget = outputTarget;
    }

    void beginMap() throws IOException {
        comma();
        out.append('{');
        first = true;
    }

    void endMap() {
        out.append('}');
        first = false;
    }

    void beginList() throws IOException {
        comma();
        out.append('[');
        first = true;
    }

    void endList() {
        out.append(']');
        first = false;
    }

    /** Starts a new line before the next item. */
    void line() throws IOException {
        comma();
        out.append('\n');
        first = true;
    }

    /** Writes the key of the next value. */
    JsonWriter key(String key) throws IOException {
        comma();
        string(key);
        out.append(':');
        first = true;
        return this;
    }

    void text(String value) throws IOException {
        comma();
        string(value);
    }

    void bool(boolean value) throws IOException {
        comma();
        out.append(value);
    }

    void count(long value) throws IOException {
        comma();
        out.append(value);
    }

    /** Writes a number with this many significant digits; {@code null} if it is not finite. */
    void number(double value, int digits) throws IOException {
        comma();
        SignificantDigits.append(value, digits, out);
    }

    /** Writes the buffered text to the output. */
    void flush() throws IOException {
        target.append(out);
        out.setLength(0);
    }

    private void comma() throws IOException {
        if (out.length() >= BUFFER_MAX) {
            flush();
        }
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void string(String text) {
        if (outputTarget == OutputTarget.SCRIPT) {
            JsonString.appendToScript(text, out);
        } else {
            JsonString.append(text, out);
        }
    }
}
