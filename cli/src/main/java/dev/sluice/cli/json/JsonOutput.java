package dev.sluice.cli.json;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.MinimalPrettyPrinter;

/** Writes JSON with one line per item of the top-level lists, which suits grep and diff. */
public final class JsonOutput {

    private static final JsonFactory FACTORY = new JsonFactory();

    /** Maximum depth of values that start on their own line. */
    private static final int LINES_DEPTH_MAX = 2;

    private JsonOutput() {}

    /** Returns a generator; closing it flushes the writer and leaves it open. */
    public static JsonGenerator to(Writer out) {
        return FACTORY.createGenerator(new Context(), new Open(out));
    }

    private static final class Context extends ObjectWriteContext.Base {
        private final PrettyPrinter printer = new ItemPerLine();

        @Override
        public PrettyPrinter getPrettyPrinter() {
            return printer;
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }

    /** Puts line breaks between values near the top and spaces between all others. */
    private static final class ItemPerLine extends MinimalPrettyPrinter {

        private static final long serialVersionUID = 1L;

        private int depth;

        @Override
        public void writeStartObject(JsonGenerator json) {
            json.writeRaw('{');
            depth++;
        }

        @Override
        public void beforeObjectEntries(JsonGenerator json) {
            if (depth == 1) {
                newLine(json);
            }
        }

        @Override
        public void writeObjectNameValueSeparator(JsonGenerator json) {
            json.writeRaw(": ");
        }

        @Override
        public void writeObjectEntrySeparator(JsonGenerator json) {
            json.writeRaw(',');
            newLineOrSpace(json, 1);
        }

        @Override
        public void writeEndObject(JsonGenerator json, int entries) {
            depth--;
            if (depth == 0 && entries > 0) {
                newLine(json);
            }
            json.writeRaw('}');
        }

        @Override
        public void writeStartArray(JsonGenerator json) {
            json.writeRaw('[');
            depth++;
        }

        @Override
        public void beforeArrayValues(JsonGenerator json) {
            if (depth <= LINES_DEPTH_MAX) {
                newLine(json);
            }
        }

        @Override
        public void writeArrayValueSeparator(JsonGenerator json) {
            json.writeRaw(',');
            newLineOrSpace(json, LINES_DEPTH_MAX);
        }

        @Override
        public void writeEndArray(JsonGenerator json, int values) {
            depth--;
            if (depth < LINES_DEPTH_MAX && values > 0) {
                newLine(json);
            }
            json.writeRaw(']');
        }

        private void newLineOrSpace(JsonGenerator json, int depthMax) {
            if (depth <= depthMax) {
                newLine(json);
            } else {
                json.writeRaw(' ');
            }
        }

        private void newLine(JsonGenerator json) {
            json.writeRaw("\n" + "  ".repeat(depth));
        }
    }

    /** Flushes the writer instead of closing it. */
    private static final class Open extends FilterWriter {

        private Open(Writer out) {
            super(out);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
