package dev.sluice.simulator.workload.swf;

import java.nio.charset.StandardCharsets;

/**
 * The columns of one line of a log, numbered from 1 as in the definition of the format.
 *
 * <p>Columns are separated by blanks or tabs. Their bytes are parsed in one pass without intermediate strings: a log
 * has hundreds of thousands of lines.
 */
final class SwfLine {

    /** The number of columns. */
    static final int COLUMNS = 18;

    static final int JOB = 1;
    static final int SUBMITTED = 2;
    static final int RUN_TIME = 4;
    static final int PROCESSORS = 5;
    static final int PROCESSORS_REQUESTED = 8;
    static final int TIME_REQUESTED = 9;
    static final int STATUS = 11;
    static final int USER = 12;
    static final int GROUP = 13;
    static final int APPLICATION = 14;
    static final int QUEUE = 15;
    static final int PARTITION = 16;

    /** The value of an unknown column. */
    static final long MISSING = -1;

    /** The result of {@link #whole} for anything but an integer of at most 18 digits. */
    static final long UNREADABLE = Long.MIN_VALUE;

    private static final int DIGITS_MAX = 18;
    private static final int FRACTION_DIGITS = 9;
    private static final int SHOWN_MAX = 40;

    private byte[] bytes = new byte[0];
    private int start;
    private final int[] from = new int[COLUMNS + 1];
    private final int[] to = new int[COLUMNS + 1];
    private final long[] numbers = new long[COLUMNS + 1];
    private final int[] nanos = new int[COLUMNS + 1];

    /** Parses the columns of these bytes; returns their number, at most {@link #COLUMNS} + 1. */
    int split(byte[] line, int lineStart, int lineEnd) {
        bytes = line;
        start = lineStart;
        int columns = 0;
        int i = lineStart;
        while (true) {
            while (i < lineEnd && isBlank(line[i])) {
                i++;
            }
            if (i == lineEnd || columns == COLUMNS) {
                return i == lineEnd ? columns : columns + 1;
            }
            columns++;
            i = read(columns, i, lineEnd);
        }
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Returns the position of this column in its line, from 1. */
    int position(int column) {
        return from[column] - start + 1;
    }

    /** Returns the shortened content of this column. */
    String text(int column) {
        int length = Math.min(SHOWN_MAX, to[column] - from[column]);
        return new String(bytes, from[column], length, StandardCharsets.ISO_8859_1);
    }

    /** Returns the integer in this column, which may have a fraction of zeros, or {@link #UNREADABLE}. */
    long whole(int column) {
        return nanos[column] == 0 ? numbers[column] : UNREADABLE;
    }

    /**
     * Returns the number in this column, rounded down, or {@link #UNREADABLE}; {@link #nanos} has the fraction. A
     * negative number with a fraction is invalid in this format and thus unreadable.
     */
    long seconds(int column) {
        return numbers[column];
    }

    /** Returns the fraction of the number in this column, in billionths. */
    int nanos(int column) {
        return nanos[column];
    }

    /** Parses the column that begins here; returns its end. */
    private int read(int column, int first, int lineEnd) {
        byte[] line = bytes;
        from[column] = first;
        nanos[column] = 0;
        boolean negative = line[first] == '-';
        int digits = negative ? first + 1 : first;
        int i = digits;
        long number = 0;
        while (i < lineEnd && isDigit(line[i])) {
            number = number * 10 + (line[i] - '0');
            i++;
        }
        int point = i;
        while (i < lineEnd && !isBlank(line[i])) {
            i++;
        }
        to[column] = i;
        boolean readable = point > digits
                && point - digits <= DIGITS_MAX
                && (point == i || (readFraction(column, point, i) && !(negative && nanos[column] != 0)));
        if (!readable) {
            nanos[column] = 0;
        }
        numbers[column] = readable ? (negative ? -number : number) : UNREADABLE;
        return i;
    }

    /** Parses from the decimal point to the end; digits after the ninth are only checked. */
    private boolean readFraction(int column, int point, int end) {
        if (bytes[point] != '.') {
            return false;
        }
        int fraction = 0;
        for (int i = point + 1; i < end; i++) {
            if (!isDigit(bytes[i])) {
                return false;
            }
            if (i <= point + FRACTION_DIGITS) {
                fraction = fraction * 10 + (bytes[i] - '0');
            }
        }
        for (int digits = end - point - 1; digits < FRACTION_DIGITS; digits++) {
            fraction *= 10;
        }
        nanos[column] = fraction;
        return true;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
