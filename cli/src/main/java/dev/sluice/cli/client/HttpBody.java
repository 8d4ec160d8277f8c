package dev.sluice.cli.client;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of an HTTP response (RFC 9112, section 6): of a known length, in chunks, or until the end of the connection.
 */
final class HttpBody extends InputStream {

    private static final long UNTIL_END = Long.MAX_VALUE;
    private static final int CHUNK_DIGITS_MAX = 15;

    private final InputStream in;
    private final Closeable connection;
    private final boolean chunked;
    private long left;
    private boolean begun;

    /**
     * @param left number of bytes; negative if unknown
     * @param connection closed with the body
     */
    HttpBody(InputStream in, boolean chunked, long left, Closeable connection) {
        this.in = in;
        this.chunked = chunked;
        this.left = chunked ? 0 : left < 0 ? UNTIL_END : left;
        this.connection = connection;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0 && (!chunked || !nextChunk())) {
            return -1;
        }
        int count = in.read(bytes, offset, (int) Math.min(length, left));
        if (left == UNTIL_END) {
            return count;
        }
        if (count < 0) {
            throw new EOFException("the response is incomplete");
        }
        left -= count;
        return count;
    }

    /** Reads the size of the next chunk; returns false after the last one. */
    private boolean nextChunk() throws IOException {
        if (begun && !line(in).isEmpty()) {
            throw new IOException("malformed chunk");
        }
        begun = true;
        String size = line(in);
        int end = size.indexOf(';');
        String digits = (end < 0 ? size : size.substring(0, end)).strip();
        if (digits.length() > CHUNK_DIGITS_MAX || !digits.matches("[0-9A-Fa-f]+")) {
            throw new IOException("malformed size of a chunk");
        }
        left = Long.parseLong(digits, 16);
        if (left == 0) {
            begun = false;
            String trailer;
            do {
                trailer = line(in);
            } while (!trailer.isEmpty());
            return false;
        }
        return true;
    }

    /** Reads a line without its end. */
    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next;
        while ((next = in.read()) != '\n') {
            if (next < 0 || line.length() > ServerConnection.LINE_MAX) {
                throw new EOFException("the response is incomplete");
            }
            line.append((char) next);
        }
        int length = line.length();
        return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(left, in.available());
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
