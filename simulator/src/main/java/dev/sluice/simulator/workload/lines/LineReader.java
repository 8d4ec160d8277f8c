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
 * Reads the lines of a file as bytes, one after the other; gzipped files are decompressed, whatever the file's name.
 *
 * <p>A line ends with a line feed; a preceding carriage return is not part of it. At most {@link #LINE_BYTES_MAX} bytes
 * of a line are kept: the rest of a longer line is skipped. The bytes of a line are in an array that the next call
 * overwrites.
 */
public final class LineReader implements Closeable {

    /** The maximum number of bytes of a line. */
    public static final int LINE_BYTES_MAX = 64 << 10;

    /** The maximum number of bytes of a skipped line; reading a file with a longer one fails. */
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
    private Length length = Length.COMPLETE;

    private enum Length {
        COMPLETE,
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
     * Advances to the next line; false after the last.
     *
     * @throws IOException if the file cannot be read, is truncated or corrupt, or has a line longer than
     *     {@link #SKIPPED_LINE_MAX}
     */
    public boolean next() throws IOException {
        start = position;
        length = Length.COMPLETE;
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
     * Appends the next line to this one, with the line break between them. Returns false and changes nothing if there
     * is no next line or both together are too long.
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

    /** Undoes {@link #extend}. */
    public void pushBack() {
        end = start + firstEnd;
        position = start + firstPosition;
        linesRead = number;
    }

    /** Returns the array that holds the line. */
    public byte[] bytes() {
        return buffer;
    }

    /** Returns the start of the line in the array. */
    public int start() {
        return start;
    }

    /** Returns the end of the line in the array, exclusive. */
    public int end() {
        return end;
    }

    /** Returns the line number, from 1; for extended lines, that of the first. */
    public long number() {
        return number;
    }

    /** Whether the line is longer than {@link #LINE_BYTES_MAX}, so that only its beginning is available. */
    public boolean isTooLong() {
        return length == Length.TOO_LONG;
    }

    @Override
    public void close() throws IOException {
        input.close();
    }

    /** Ends the line at this line feed; without one, at the end of the file or of the kept bytes. */
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

    /** Returns the index of the next line feed, or -1 if the file ends first or the line is too long. */
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

    /** Moves the line to the front of the array if necessary, and reads more bytes; false at the end of the file. */
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
            throw new IOException(file + ": truncated after line " + linesRead, e);
        } catch (ZipException e) {
            throw new IOException(file + ": corrupt after line " + linesRead + ": cannot decompress it", e);
        }
    }

    /** Discards the rest of the line beyond the array; the kept beginning moves to the front. */
    private void skipLine() throws IOException {
        int keptBytes = limit - start;
        long lineBytes = keptBytes;
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
            lineBytes += limit - LINE_BYTES_MAX;
            if (lineBytes > SKIPPED_LINE_MAX) {
                throw new IOException(file + ": line " + number + " is longer than " + (SKIPPED_LINE_MAX >> 20)
                        + " MiB: not a file of text lines");
            }
        }
    }
}
