package dev.sluice.simulator.workload.swf;

import java.nio.charset.StandardCharsets;

/**
 * The columns of one line of a log, numbered from 1 as the format's definition does it.
 *
 * <p>Columns are parted by blanks or tabs. They stay bytes until they are asked for, and then become numbers without a text in
 * between: a log has hundreds of thousands of lines.
 */
final class SwfLine {

    /** How many columns there are. */
    static final int COLUMNS = 18;

    static final int JOB = 1;
    static final int SUBMITTED = 2;
    static final int RUN_TIME = 4;
    static final int PROCESSORS = 5;
    static final int PROCESSORS_REQUESTED = 8;
    static final int STATUS = 11;
    static final int USER = 12;
    static final int GROUP = 13;
    static final int APPLICATION = 14;
    static final int QUEUE = 15;
    static final int PARTITION = 16;

    /** What stands where nothing is known. */
    static final long MISSING = -1;

    /** What {@link #whole} gives for something else than a whole number, or one of more than eighteen digits. */
    static final long UNREADABLE = Long.MIN_VALUE;

    private static final int DIGITS_MAX = 18;
    private static final int FRACTION_DIGITS = 9;
    private static final int SHOWN_MAX = 40;

    private byte[] bytes = new byte[0];
    private int start;
    private final int[] from = new int[COLUMNS + 1];
    private final int[] to = new int[COLUMNS + 1];
    private int nanos;

    /** Finds the columns of these bytes; how many there are, at most one more than {@link #COLUMNS}. */
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
            from[columns] = i;
            while (i < lineEnd && !isBlank(line[i])) {
                i++;
            }
            to[columns] = i;
        }
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Where this column begins in its line, from 1. */
    int position(int column) {
        return from[column] - start + 1;
    }

    /** What stands in this column, shortened. */
    String text(int column) {
        int length = Math.min(SHOWN_MAX, to[column] - from[column]);
        return new String(bytes, from[column], length, StandardCharsets.ISO_8859_1);
    }

    /** The whole number in this column, which may end in zeros behind a point; or {@link #UNREADABLE}. */
    long whole(int column) {
        long number = seconds(column);
        return number != UNREADABLE && nanos != 0 ? UNREADABLE : number;
    }

    /**
     * The number in this column, rounded down to a whole one if it is not negative, or {@link #UNREADABLE}; {@link #nanos} has the
     * rest. A negative number with a fraction is none of the format's, thus unreadable.
     */
    long seconds(int column) {
        nanos = 0;
        int i = from[column];
        int end = to[column];
        boolean negative = bytes[i] == '-';
        if (negative) {
            i++;
        }
        int first = i;
        long number = 0;
        while (i < end && isDigit(bytes[i])) {
            number = number * 10 + (bytes[i] - '0');
            i++;
            if (i - first > DIGITS_MAX) {
                return UNREADABLE;
            }
        }
        if (i == first || (i < end && !readFraction(i, end)) || (negative && nanos != 0)) {
            return UNREADABLE;
        }
        return negative ? -number : number;
    }

    /** Of the number that {@link #seconds} gave last, the billionths behind the point. */
    int nanos() {
        return nanos;
    }

    /** Reads from the point to the end; what lies behind nine digits only has to be digits. */
    private boolean readFraction(int point, int end) {
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
        nanos = fraction;
        return true;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
