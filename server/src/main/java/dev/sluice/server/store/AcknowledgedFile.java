package dev.sluice.server.store;

import dev.sluice.runtime.file.PrivateFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A small file beside the database with the sequence number of the last acknowledged event. SQLite silently treats
 * damage in its write-ahead log as a transaction that was never finished; this file reveals the difference. It is
 * written after each commit and not synced to disk, so after a crash of the machine its number may be too low, but
 * never too high.
 */
final class AcknowledgedFile implements AutoCloseable {

    /** The name of the file. */
    static final String FILE = "acknowledged";

    private static final int BYTES = Long.BYTES + Integer.BYTES;

    private final RandomAccessFile file;
    private final byte[] bytes = new byte[BYTES];

    AcknowledgedFile(Path folder) throws IOException {
        file = new RandomAccessFile(
                PrivateFiles.ensureFile(folder.resolve(FILE)).toFile(), "rw");
    }

    /** Reads the file; returns 0 if it does not exist, -1 if it is damaged. */
    static long read(Path folder) throws IOException {
        Path path = folder.resolve(FILE);
        if (!Files.exists(path)) {
            return 0;
        }
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(path));
        if (content.remaining() != BYTES) {
            return content.hasRemaining() ? -1 : 0;
        }
        long sequence = content.getLong();
        return content.getInt() == checksum(sequence) ? sequence : -1;
    }

    /** Overwrites the file. */
    void write(long sequence) throws IOException {
        ByteBuffer.wrap(bytes).putLong(sequence).putInt(checksum(sequence));
        file.seek(0);
        file.write(bytes);
    }

    private static int checksum(long sequence) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(sequence).flip());
        return (int) checksum.getValue();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
