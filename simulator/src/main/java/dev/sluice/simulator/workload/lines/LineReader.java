package dev.sluice.simulator.workload.lines;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The lines of a file as bytes, one after the other; what is packed by gzip is unpacked, whatever the file's name.
 *
 * <p>A line ends with a line feed, before which a carriage return does not count. However long a line is, no more than
 * {@link #LINE_BYTES_MAX} of it are kept: a longer one is passed over. The bytes of a line are those of an array that the next call
 * overwrites.
 */
public final class LineReader implements Closeable {

    /** The most bytes of a line. */
    public static final int LINE_BYTES_MAX = 64 << 10;

    /** The most bytes of a line that is passed over; a file with a longer one is not read any further. */
    public static final long SKIPPED_LINE_MAX = 64L << 20;

    private static final int BUFFER_BYTES = 4 * LINE_BYTES_MAX;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private final String file;
    private final InputStream input;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private int start;
    private int end;
    private int firstEnd;
    private int firstPosition;
    private long number;
    private long linesRead;
    private Length length = Length.KEPT;

    private enum Length {
        KEPT,
        TOO_LONG
    }

    private LineReader(String file, InputStream input) throws IOException {
        this.file = file;
        this.input = input;
        fill();
        if (limit >= 3 && buffer[0] == (byte) 0xef && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf) {
            position = 3;
        }
    }

    /** Opens a file at its first line. */
    public static LineReader open(Path path) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(path), LINE_BYTES_MAX);
        try {
            raw.mark(2);
            boolean packed = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
            raw.reset();
            return new LineReader(path.toString(), packed ? new GZIPInputStream(raw, LINE_BYTES_MAX) : raw);
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    /**
     * Goes on to the next line; false after the last.
     *
     * @throws IOException if the file cannot be read, is cut off or damaged, or has a line beyond {@link #SKIPPED_LINE_MAX}
     */
    public boolean next() throws IOException {
        start = position;
        length = Length.KEPT;
        int feed = findFeed(start);
        if (feed < 0 && start == limit) {
            return false;
        }
        linesRead++;
        number = linesRead;
        finish(feed);
        firstEnd = end - start;
        firstPosition = position - start;
        return true;
    }

    /**
     * Takes the next line into this one, with the line break between them. False, and nothing changes, if there is no next line or
     * both together are too long.
     */
    public boolean extend() throws IOException {
        int feed = findFeed(position);
        int whole = (feed < 0 ? limit : feed) - start;
        if ((feed < 0 && position == limit) || whole > LINE_BYTES_MAX) {
            return false;
        }
        linesRead++;
        finish(feed);
        return true;
    }

    /** Gives back what {@link #extend} took. */
    public void pushBack() {
        end = start + firstEnd;
        position = start + firstPosition;
        linesRead = number;
    }

    /** The array that holds the line. */
    public byte[] bytes() {
        return buffer;
    }

    /** Where the line begins in the array. */
    public int start() {
        return start;
    }

    /** Where it ends, exclusively. */
    public int end() {
        return end;
    }

    /** The number of the line, from 1; of several in one, that of the first. */
    public long number() {
        return number;
    }

    /** Whether the line is longer than {@link #LINE_BYTES_MAX}: then only its beginning is there. */
    public boolean isTooLong() {
        return length == Length.TOO_LONG;
    }

    @Override
    public void close() throws IOException {
        input.close();
    }

    /** Ends the line at this line feed; without one, at the end of the file or of what is kept. */
    private void finish(int feed) throws IOException {
        int lineEnd = feed < 0 ? limit : feed;
        position = feed < 0 ? limit : feed + 1;
        if (lineEnd - start > LINE_BYTES_MAX) {
            length = Length.TOO_LONG;
            if (feed < 0) {
                skipLine();
            }
            lineEnd = start + LINE_BYTES_MAX;
        }
        end = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    }

    /** The index of the next line feed, or -1 if the file ends before, or more is there than a line may have. */
    private int findFeed(int from) throws IOException {
        int i = from;
        while (true) {
            while (i < limit) {
                if (buffer[i] == '\n') {
                    return i;
                }
                i++;
            }
            if (limit - start > LINE_BYTES_MAX + 1) {
                return -1;
            }
            int moved = start;
            if (!makeRoomAndFill()) {
                return -1;
            }
            i -= moved - start;
        }
    }

    /** Moves the line to the front of the array if need be, and reads on; false at the end of the file. */
    private boolean makeRoomAndFill() throws IOException {
        if (limit == buffer.length) {
            System.arraycopy(buffer, start, buffer, 0, limit - start);
            limit -= start;
            position -= start;
            end -= start;
            start = 0;
        }
        return fill();
    }

    private boolean fill() throws IOException {
        try {
            int read = input.read(buffer, limit, buffer.length - limit);
            limit += Math.max(0, read);
            return read > 0;
        } catch (EOFException e) {
            throw new IOException(file + " ends after line " + linesRead + ": it is cut off", e);
        } catch (ZipException e) {
            throw new IOException(file + " is damaged after line " + linesRead + ": it cannot be unpacked", e);
        }
    }

    /** Drops what belongs to the line beyond the array; its kept beginning moves to the front. */
    private void skipLine() throws IOException {
        int kept = limit - start;
        long passed = kept;
        System.arraycopy(buffer, start, buffer, 0, LINE_BYTES_MAX);
        start = 0;
        while (true) {
            limit = LINE_BYTES_MAX;
            if (!fill()) {
                position = limit;
                return;
            }
            for (int i = LINE_BYTES_MAX; i < limit; i++) {
                if (buffer[i] == '\n') {
                    position = i + 1;
                    return;
                }
            }
            passed += limit - LINE_BYTES_MAX;
            if (passed > SKIPPED_LINE_MAX) {
                throw new IOException(file + ": line " + number + " is longer than " + (SKIPPED_LINE_MAX >> 20)
                        + " MiB: this is no file of lines");
            }
        }
    }
}
