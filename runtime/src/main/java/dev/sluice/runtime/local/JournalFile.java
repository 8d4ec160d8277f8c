package dev.sluice.runtime.local;

import dev.sluice.runtime.journal.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * An append-only file of records, locked while open.
 *
 * <p>A record consists of the length of its content, the complement of the length, the content and its CRC-32. The
 * content is the sequence number of its first event, the number of events, an instant and a body. A record that a crash
 * has left incomplete at the end is cut off; damage before it is an error.
 */
final class JournalFile implements AutoCloseable {

    private static final int LENGTHS = 2 * Integer.BYTES;
    private static final int HEADER = Long.BYTES + Integer.BYTES + Long.BYTES + Integer.BYTES;

    private final Path path;
    private final FileChannel channel;

    /** Receives records. */
    @FunctionalInterface
    interface RecordReader {
        /** Receives the next record. */
        void read(long first, int events, Instant at, byte[] body) throws IOException, StoreException;
    }

    private JournalFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Opens and locks an existing file. */
    static JournalFile open(Path path) throws IOException, StoreException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return new JournalFile(path, channel);
            }
        } catch (OverlappingFileLockException e) {
            // locked by this program: same as by another one
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new StoreException(
                StoreException.Kind.IN_USE,
                "a program with the log folder " + path.toAbsolutePath().getParent()
                        + " is running: wait for its end, or use another folder");
    }

    Path path() {
        return path;
    }

    /** Removes all records. */
    void clear() throws IOException {
        channel.truncate(0);
    }

    /** Reads all records, and cuts off an incomplete one at the end. */
    void read(RecordReader reader) throws IOException, StoreException {
        channel.position(0);
        long position = 0;
        long size = channel.size();
        while (position < size) {
            byte[] content = content(position, size);
            if (content == null) {
                channel.truncate(position);
                break;
            }
            ByteBuffer fields = ByteBuffer.wrap(content);
            long first = fields.getLong();
            int events = fields.getInt();
            Instant at = Instant.ofEpochSecond(fields.getLong(), fields.getInt());
            byte[] body = new byte[fields.remaining()];
            fields.get(body);
            reader.read(first, events, at, body);
            position += LENGTHS + content.length + Integer.BYTES;
        }
        channel.position(position);
    }

    /** Returns the content of the record at this position; null if it is incomplete, the last one. */
    private byte @Nullable [] content(long position, long size) throws IOException, StoreException {
        long left = size - position - LENGTHS;
        if (left < 0) {
            return null;
        }
        ByteBuffer lengths = filled(LENGTHS);
        int length = lengths.getInt();
        if (length != ~lengths.getInt() || length < HEADER) {
            if (length == 0 && isZero(position + LENGTHS, size)) {
                return null;
            }
            throw damaged(position);
        }
        if (left < (long) length + Integer.BYTES) {
            return null;
        }
        byte[] content = new byte[length];
        ByteBuffer rest = filled(length + Integer.BYTES);
        rest.get(content);
        if (rest.getInt() == sum(content)) {
            return content;
        }
        if (left == (long) length + Integer.BYTES) {
            return null;
        }
        throw damaged(position);
    }

    /** Returns whether the file has only zeros from here, as if the system crashed before it wrote them. */
    private boolean isZero(long position, long size) throws IOException {
        ByteBuffer rest = filled((int) Math.min(size - position, 1 << 20));
        while (rest.hasRemaining()) {
            if (rest.get() != 0) {
                return false;
            }
        }
        return true;
    }

    private ByteBuffer filled(int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new IOException("unexpected end of file");
            }
        }
        return buffer.flip();
    }

    private StoreException damaged(long position) {
        return new StoreException(
                StoreException.Kind.DAMAGED,
                path + " is damaged at byte " + position + ": this run cannot be resumed; start it again");
    }

    private static int sum(byte[] content) {
        CRC32 sum = new CRC32();
        sum.update(content);
        return (int) sum.getValue();
    }

    /** Appends a record; when this returns, it survives a crash of the machine. */
    void write(long first, int events, Instant at, byte[] body) throws IOException {
        byte[] content = new byte[HEADER + body.length];
        ByteBuffer.wrap(content)
                .putLong(first)
                .putInt(events)
                .putLong(at.getEpochSecond())
                .putInt(at.getNano())
                .put(body);
        ByteBuffer bytes = ByteBuffer.allocate(LENGTHS + content.length + Integer.BYTES);
        bytes.putInt(content.length).putInt(~content.length).put(content).putInt(sum(content));
        bytes.flip();
        while (bytes.hasRemaining()) {
            int unused = channel.write(bytes);
        }
        channel.force(false);
    }

    /** Closes and unlocks the file. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // everything is written; the operating system releases the lock at the end of the program
            return;
        }
    }
}
