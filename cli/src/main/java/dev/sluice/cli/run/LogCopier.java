package dev.sluice.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.process.LogFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Copies the log of one run of a task to a stream, byte for byte and in pieces of bounded size. Copies nothing of
 * earlier runs of the task.
 */
final class LogCopier {

    /** A longer line is divided if lines have a prefix. */
    static final int LINE_BYTES_MAX = 1 << 16;

    private static final byte[] SEPARATOR = LogFiles.SEPARATOR.getBytes(UTF_8);

    private final Path log;
    private final byte[] prefix;
    private long position;

    /** The size of the log for which nothing is left to copy before it grows. */
    private long seen = -1;

    /** Whether the line that separates this run from an earlier one may follow. */
    private boolean separated;

    private boolean midLine;

    /**
     * Creates a copier that begins at the current end of the log.
     *
     * @param prefix begins each line; if empty, lines are copied in pieces
     */
    LogCopier(Path log, String prefix) {
        this.log = log;
        this.prefix = prefix.getBytes(UTF_8);
        this.position = log.toFile().length();
        this.separated = position > 0;
    }

    /**
     * Copies what was appended, at most {@code piecesMax} pieces of {@link #LINE_BYTES_MAX}; without a prefix also the
     * beginning of a line.
     *
     * @throws IOException if the stream cannot be written; a log that cannot be read is skipped
     */
    void copyNew(OutputStream out, int piecesMax) throws IOException {
        copy(out, piecesMax, false);
    }

    /** Copies all that is left, and adds a line feed if the last line has none. */
    void copyRest(OutputStream out) throws IOException {
        copy(out, Integer.MAX_VALUE, true);
        if (midLine) {
            out.write('\n');
            midLine = false;
        }
    }

    private void copy(OutputStream out, int piecesMax, boolean hasEnded) throws IOException {
        long size = log.toFile().length();
        if (size == seen && !hasEnded) {
            return;
        }
        position = Math.min(position, size); // it was truncated
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(LINE_BYTES_MAX, size - position));
        for (int i = 0; i < piecesMax; i++) {
            if (position == size || !read(piece)) {
                seen = size;
                return;
            }
            boolean isLast = hasEnded && position + piece.limit() >= size;
            int used = write(piece, out, isLast);
            position += used;
            if (used == 0) {
                seen = size;
                return;
            }
        }
    }

    /** Reads a piece; returns whether it has any bytes. */
    private boolean read(ByteBuffer piece) {
        piece.clear();
        try (FileChannel channel = LogFiles.open(Objects.requireNonNull(log.getParent()), log)) {
            int length = 0;
            while (piece.hasRemaining() && length >= 0) {
                length = channel.read(piece, position + piece.position());
            }
        } catch (IOException e) {
            return false;
        }
        piece.flip();
        return piece.hasRemaining();
    }

    /** Writes a piece; returns the number of bytes that are done with. */
    private int write(ByteBuffer piece, OutputStream out, boolean isLast) throws IOException {
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        int end = bytes.length;
        int start = 0;
        if (separated) {
            int line = lineEnd(bytes, 0, end);
            if (line < 0 && !isLast && end < LINE_BYTES_MAX) {
                return 0;
            }
            separated = false;
            start = line >= 0 && startsWithSeparator(bytes, line) ? line : 0;
        }
        if (prefix.length == 0) {
            out.write(bytes, start, end - start);
            midLine = end > start ? bytes[end - 1] != '\n' : midLine;
            return end;
        }
        for (int line = lineEnd(bytes, start, end); line >= 0; line = lineEnd(bytes, start, end)) {
            out.write(prefix);
            out.write(bytes, start, line - start);
            start = line;
        }
        if (start < end && (isLast || (start == 0 && end == LINE_BYTES_MAX))) {
            out.write(prefix);
            out.write(bytes, start, end - start);
            out.write('\n');
            start = end;
        }
        return start;
    }

    private static boolean startsWithSeparator(byte[] bytes, int length) {
        for (int i = 0; i < SEPARATOR.length; i++) {
            if (i >= length || bytes[i] != SEPARATOR[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the index after the next line feed, or -1. */
    private static int lineEnd(byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }
}
