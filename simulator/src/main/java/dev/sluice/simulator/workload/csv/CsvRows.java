package dev.sluice.simulator.workload.csv;

import dev.sluice.simulator.workload.lines.LineReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file of separated values, one after the other, as RFC 4180 has them: a field in quotes may hold separators, line breaks
 * and, doubled, quotes. Blank lines are passed over.
 *
 * <p>A row is never longer than {@link LineReader#LINE_BYTES_MAX}. Where a quote is not closed within that, the line on which the row
 * begins is broken, and the next line begins a row.
 *
 * <p>Whoever reads a row may note what is wrong with it, the first time counts: {@link #fault}.
 */
final class CsvRows implements Closeable {

    /** The most columns of a row. */
    static final int COLUMNS_MAX = 1_000;

    private static final byte QUOTE = '"';

    private final LineReader lines;
    private final byte separator;
    private final int[] from = new int[COLUMNS_MAX];
    private final int[] to = new int[COLUMNS_MAX];
    private int columns;
    private @Nullable RowFault fault;

    /**
     * What is wrong with a row.
     *
     * @param line the line, from 1
     * @param column where it begins, from 1, in characters
     * @param reason what it is
     */
    record RowFault(long line, int column, String reason) {}

    /** The rows of these lines, with columns parted by this ASCII character. */
    CsvRows(LineReader lines, char separator) {
        this.lines = lines;
        this.separator = (byte) separator;
    }

    /** Goes on to the next row; false after the last. */
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

    /** The number of the line on which the row begins, from 1. */
    long line() {
        return lines.number();
    }

    /** How many columns the row has. */
    int columns() {
        return columns;
    }

    /** Whether there is nothing in this column, numbered from 0. */
    boolean isEmpty(int column) {
        return from[column] == to[column];
    }

    /** What stands in this column, numbered from 0. */
    String text(int column) {
        String text = new String(
                lines.bytes(), lines.start() + from[column], to[column] - from[column], StandardCharsets.UTF_8);
        return isQuoted(column) ? text.replace("\"\"", "\"") : text;
    }

    private boolean isQuoted(int column) {
        return from[column] > 0 && lines.bytes()[lines.start() + from[column] - 1] == QUOTE;
    }

    /** What is wrong with the row; null if nothing is. */
    @Nullable RowFault fault() {
        return fault;
    }

    /** Notes that something is wrong in this column, numbered from 0. */
    void fail(int column, String reason) {
        fail(reason, from[column] - (isQuoted(column) ? 1 : 0));
    }

    /** Notes that something is wrong with the row as a whole. */
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

    /** Finds the columns; their places are counted from the beginning of the row, since the array's content may move. */
    private void split() throws IOException {
        if (lines.isTooLong()) {
            fail("this line is longer than " + LineReader.LINE_BYTES_MAX + " bytes");
            return;
        }
        int i = 0;
        while (true) {
            if (columns == COLUMNS_MAX) {
                fail("this row has more than " + COLUMNS_MAX + " columns");
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

    /** Reads a field that begins here; its end, or -1 after a fault. */
    private int plain(int first) {
        byte[] bytes = lines.bytes();
        int start = lines.start();
        int length = length();
        int i = first;
        while (i < length && bytes[start + i] != separator) {
            if (bytes[start + i] == QUOTE) {
                fail(
                        "there is a quote in a field that does not begin with one: put the field in quotes and double"
                                + " those within",
                        i);
                return -1;
            }
            i++;
        }
        from[columns] = first;
        to[columns] = i;
        return i;
    }

    /** Reads a field whose opening quote is here; the end of what follows its closing quote, or -1 after a fault. */
    private int quoted(int opening) throws IOException {
        int i = opening + 1;
        while (true) {
            if (i >= length()) {
                if (!lines.extend()) {
                    lines.pushBack();
                    fail("this quote is not closed within " + LineReader.LINE_BYTES_MAX + " bytes", opening);
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
            fail("there is something between the closing quote and the end of the field", i + 1);
            return -1;
        }
        return i + 1;
    }
}
