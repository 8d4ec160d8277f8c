package dev.sluice.server.store;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What SQLite will recover from a write-ahead log when it opens the database: it applies transactions up to the first
 * damaged or torn frame and silently discards the rest. The format is described in <a
 * href="https://www.sqlite.org/fileformat2.html#the_write_ahead_log">SQLite's documentation</a>.
 *
 * @param recovered the number of transactions that will be applied
 * @param torn the number of frames after them that belong to no committed transaction
 * @param lost the number of transactions after a damaged frame, at least one, all of which are lost; 0 if no frame is
 *     damaged
 */
record WriteAheadLog(long recovered, long torn, long lost) {

    private static final int HEADER_BYTES = 32;
    private static final int FRAME_HEADER_BYTES = 24;
    private static final int MAGIC = 0x377f0682;

    /** Reads a log; all numbers are 0 if it does not exist. */
    static WriteAheadLog read(Path path) throws IOException {
        if (!Files.exists(path) || Files.size(path) < HEADER_BYTES) {
            return new WriteAheadLog(0, 0, 0);
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 20))) {
            return new Reader(in).read(Files.size(path));
        }
    }

    private static final class Reader {
        private final DataInputStream in;
        private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        private int sum0;
        private int sum1;

        Reader(DataInputStream in) {
            this.in = in;
        }

        WriteAheadLog read(long size) throws IOException {
            ByteBuffer header = bytes(HEADER_BYTES);
            int magic = header.getInt(0);
            int pageBytes = header.getInt(8);
            order = (magic & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            add(header, 24);
            boolean whole = (magic & ~1) == MAGIC && header.getInt(24) == sum0 && header.getInt(28) == sum1;
            if (pageBytes < 512 || pageBytes > 65536 || Integer.bitCount(pageBytes) != 1) {
                return new WriteAheadLog(0, 0, 1);
            }
            boolean headerWhole = whole;
            long salt = header.getLong(16);
            long recovered = 0;
            long torn = 0;
            long lost = 0;
            long frames = (size - HEADER_BYTES) / (FRAME_HEADER_BYTES + pageBytes);
            for (long i = 0; i < frames; i++) {
                ByteBuffer head = bytes(FRAME_HEADER_BYTES);
                ByteBuffer page = bytes(pageBytes);
                if (!headerWhole && i == 0) {
                    salt = head.getLong(8);
                }
                if (head.getLong(8) != salt) {
                    whole = false;
                    continue;
                }
                if (whole) {
                    add(head, 8);
                    add(page, pageBytes);
                    whole = head.getInt(16) == sum0 && head.getInt(20) == sum1;
                }
                boolean commits = head.getInt(4) != 0;
                if (whole && commits) {
                    recovered++;
                    torn = 0;
                } else {
                    torn++;
                    lost += commits ? 1 : 0;
                }
            }
            return new WriteAheadLog(recovered, torn, lost);
        }

        private ByteBuffer bytes(int count) throws IOException {
            byte[] bytes = new byte[count];
            in.readFully(bytes);
            return ByteBuffer.wrap(bytes);
        }

        private void add(ByteBuffer bytes, int count) {
            ByteBuffer words = bytes.duplicate().order(order);
            for (int i = 0; i < count; i += 8) {
                sum0 += words.getInt(i) + sum1;
                sum1 += words.getInt(i + 4) + sum0;
            }
        }
    }
}
