package dev.sluice.simulator.workload.csv;

import dev.sluice.simulator.workload.lines.LineReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file of delimiter-separated values, as in RFC 4180: a quoted field may contain separators, line breaks
 * and doubled quotes. Blank lines are skipped.
 *
 * <p>A row has at most {@link LineReader#LINE_BYTES_MAX} bytes. If a quote is not closed within that, the line on which
 * the row begins is malformed, and the next line begins a row.
 *
 * <p>Readers of a row may record a {@link #fault}; the first one is kept.
 */
final class CsvRows implements Closeable {

    /** The maximum number of columns of a row. */
    static final int COLUMNS_MAX = 1_000;

    private static final byte QUOTE = '"';

    private final LineReader lines;
    private final byte separator;
    private final int[] from = new int[COLUMNS_MAX];
    private final int[] to = new int[COLUMNS_MAX];
    private int columns;
    private @Nullable RowFault fault;

    /**
     * A fault of a row.
     *
     * @param line the line, from 1
     * @param column the position where the fault begins, from 1, in characters
     * @param reason what is wrong
     */
    record RowFault(long line, int column, String reason) {}

    /** Reads rows from these lines, with columns separated by this ASCII character. */
    CsvRows(LineReader lines, char separator) {
        this.lines = lines;
        this.separator = (byte) separator;
    }

    /** Advances to the next row; false after the last. */
    boolean next() throws IOException {
        while (lines.next()) {
            if (lines.end() > lines.start()) {
                fault = null;
                columns = 0;
                split();
                return true;
            }
        }
        return false;
    }

    /** Returns the number of the line on which the row begins, from 1. */
    long line() {
        return lines.number();
    }

    /** Returns the number of columns of the row. */
    int columns() {
        return columns;
    }

    /** Whether this column, numbered from 0, is empty. */
    boolean isEmpty(int column) {
        return from[column] == to[column];
    }

    /** Returns the content of this column, numbered from 0. */
    String text(int column) {
        String text = new String(
                lines.bytes(), lines.start() + from[column], to[column] - from[column], StandardCharsets.UTF_8);
        return isQuoted(column) ? text.replace("\"\"", "\"") : text;
    }

    private boolean isQuoted(int column) {
        return from[column] > 0 && lines.bytes()[lines.start() + from[column] - 1] == QUOTE;
    }

    /** Returns the fault of the row; null if it has none. */
    @Nullable RowFault fault() {
        return fault;
    }

    /** Records a fault in this column, numbered from 0. */
    void fail(int column, String reason) {
        fail(reason, from[column] - (isQuoted(column) ? 1 : 0));
    }

    /** Records a fault of the row as a whole. */
    void fail(String reason) {
        fail(reason, 0);
    }

    private void fail(String reason, int offset) {
        if (fault != null) {
            return;
        }
        String before = new String(lines.bytes(), lines.start(), offset, StandardCharsets.UTF_8);
        int breaks = (int) before.chars().filter(c -> c == '\n').count();
        String sameLine = before.substring(before.lastIndexOf('\n') + 1);
        fault = new RowFault(lines.number() + breaks, 1 + sameLine.codePointCount(0, sameLine.length()), reason);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /** Finds the columns. Positions are relative to the start of the row, since the content of the array may move. */
    private void split() throws IOException {
        if (lines.isTooLong()) {
            fail("line is longer than " + LineReader.LINE_BYTES_MAX + " bytes");
            return;
        }
        int i = 0;
        while (true) {
            if (columns == COLUMNS_MAX) {
                fail("row has more than " + COLUMNS_MAX + " columns");
                return;
            }
            boolean quoted = i < length() && at(i) == QUOTE;
            i = quoted ? quoted(i) : plain(i);
            if (i < 0) {
                return;
            }
            columns++;
            if (i == length()) {
                return;
            }
            i++;
        }
    }

    private int length() {
        return lines.end() - lines.start();
    }

    private byte at(int i) {
        return lines.bytes()[lines.start() + i];
    }

    /** Reads an unquoted field that begins here; returns its end, or -1 after a fault. */
    private int plain(int first) {
        byte[] bytes = lines.bytes();
        int start = lines.start();
        int length = length();
        int i = first;
        while (i < length && bytes[start + i] != separator) {
            if (bytes[start + i] == QUOTE) {
                fail("quote in an unquoted field: quote the whole field and double the quotes inside it", i);
                return -1;
            }
            i++;
        }
        from[columns] = first;
        to[columns] = i;
        return i;
    }

    /**
     * Reads a field with its opening quote here; returns the position after its closing quote, or -1 after a fault.
     */
    private int quoted(int opening) throws IOException {
        int i = opening + 1;
        while (true) {
            if (i >= length()) {
                if (!lines.extend()) {
                    lines.pushBack();
                    fail("quote is not closed within " + LineReader.LINE_BYTES_MAX + " bytes", opening);
                    return -1;
                }
            } else if (at(i) != QUOTE) {
                i++;
            } else if (i + 1 < length() && at(i + 1) == QUOTE) {
                i += 2;
            } else {
                break;
            }
        }
        from[columns] = opening + 1;
        to[columns] = i;
        if (i + 1 < length() && at(i + 1) != separator) {
            fail("unexpected text after the closing quote", i + 1);
            return -1;
        }
        return i + 1;
    }
}
