package dev.sluice.server.store;

import dev.sluice.runtime.journal.JournalStore.Checkpoint;
import dev.sluice.runtime.journal.JournalStore.CheckpointWriter;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints, written in chunks of one transaction each, so that batches are written in between; a final row completes
 * a checkpoint. Incomplete checkpoints are ignored, and discarded together with old ones.
 */
final class CheckpointTables {

    /** Size of a chunk, small enough not to delay batches. */
    static final int CHUNK_BYTES = 1 << 20;

    private final Database database;
    private final Writer writer;
    private volatile long pendingCheckpoint = -1;

    CheckpointTables(Database database, Writer writer) {
        this.database = database;
        this.writer = writer;
    }

    void keep(long sequence, Instant at, CheckpointWriter content) throws StoreException {
        long nanos = Columns.exactNanos(at);
        String what = "write the checkpoint of event " + sequence;
        long checkpoint = writer.transact(
                what,
                session -> Math.max(
                                session.number("SELECT MAX(checkpoint) FROM checkpoints", 0),
                                session.number("SELECT MAX(checkpoint) FROM checkpoint_chunks", 0))
                        + 1);
        pendingCheckpoint = checkpoint;
        try (ChunkOutput out = new ChunkOutput(checkpoint, what)) {
            content.write(out);
            out.chunk();
            writer.transact(what, session -> {
                session.update(
                        "INSERT INTO checkpoints (checkpoint, sequence, at_nanos, chunks, checksum) VALUES (?, ?,"
                                + " ?, ?, ?)",
                        checkpoint,
                        sequence,
                        nanos,
                        out.chunks,
                        checksum(checkpoint, sequence, nanos, out.chunks));
                return true;
            });
        } catch (IOException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw new StoreException(Kind.UNAVAILABLE, "cannot " + what + ": " + Failures.reason(e), e);
        } finally {
            pendingCheckpoint = -1;
        }
    }

    private static long checksum(long... columns) {
        return Columns.checksum(new byte[0], columns);
    }

    /** Writes a chunk whenever enough data is buffered. */
    private final class ChunkOutput extends OutputStream {
        private final long checkpoint;
        private final String what;
        private final byte[] buffer = new byte[CHUNK_BYTES];
        private int filled;
        private long chunks;

        ChunkOutput(long checkpoint, String what) {
            this.checkpoint = checkpoint;
            this.what = what;
        }

        @Override
        public void write(int b) throws IOException {
            if (filled == buffer.length) {
                chunk();
            }
            buffer[filled++] = (byte) b;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            for (int done = 0; done < length; ) {
                if (filled == buffer.length) {
                    chunk();
                }
                int count = Math.min(length - done, buffer.length - filled);
                System.arraycopy(bytes, offset + done, buffer, filled, count);
                filled += count;
                done += count;
            }
        }

        void chunk() throws IOException {
            if (filled == 0) {
                return;
            }
            byte[] content = Arrays.copyOf(buffer, filled);
            try {
                writer.transact(what, session -> {
                    PreparedStatement insert = session.statement(
                            "INSERT INTO checkpoint_chunks (checkpoint, chunk, checksum, content) VALUES (?, ?, ?, ?)");
                    insert.setLong(1, checkpoint);
                    insert.setLong(2, chunks);
                    insert.setLong(3, Columns.checksum(content, checkpoint, chunks));
                    insert.setBytes(4, content);
                    return insert.executeUpdate();
                });
            } catch (StoreException e) {
                throw new IOException(e);
            }
            chunks++;
            filled = 0;
        }
    }

    /** Returns the latest checkpoint before an event, or null. Damage is detected when its content is read. */
    @Nullable Checkpoint before(long sequence) throws StoreException {
        try (Connection connection = database.readers().getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT checkpoint, sequence, at_nanos, chunks, checksum FROM checkpoints"
                                + " WHERE sequence < ? ORDER BY sequence DESC, checkpoint DESC LIMIT 1")) {
            select.setLong(1, sequence);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                long checkpoint = row.getLong(1);
                long found = row.getLong(2);
                long nanos = row.getLong(3);
                long chunks = row.getLong(4);
                boolean whole = checksum(checkpoint, found, nanos, chunks) == row.getLong(5);
                return new Checkpoint(found, Columns.instant(nanos), new ChunkInput(checkpoint, found, chunks, whole));
            }
        } catch (SQLException e) {
            throw Failures.of(database, "read the latest checkpoint", e);
        }
    }

    /** Reads chunk by chunk, with a connection each, because the reader may be slow. */
    private final class ChunkInput extends InputStream {
        private final long checkpoint;
        private final long sequence;
        private final long chunks;
        private final boolean whole;
        private byte[] content = new byte[0];
        private int position;
        private long next;

        ChunkInput(long checkpoint, long sequence, long chunks, boolean whole) {
            this.checkpoint = checkpoint;
            this.sequence = sequence;
            this.chunks = chunks;
            this.whole = whole;
        }

        @Override
        public int read() throws IOException {
            return fill() ? content[position++] & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, content.length - position);
            System.arraycopy(content, position, bytes, offset, count);
            position += count;
            return count;
        }

        private boolean fill() throws IOException {
            if (!whole) {
                throw damaged("its entry is damaged", null);
            }
            while (position == content.length) {
                if (next == chunks) {
                    return false;
                }
                content = chunk(next++);
                position = 0;
            }
            return true;
        }

        private byte[] chunk(long chunk) throws IOException {
            try (Connection connection = database.readers().getConnection();
                    PreparedStatement select = connection.prepareStatement(
                            "SELECT checksum, content FROM checkpoint_chunks WHERE checkpoint = ? AND chunk = ?")) {
                select.setLong(1, checkpoint);
                select.setLong(2, chunk);
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next()) {
                        throw damaged("chunk " + (chunk + 1) + " of " + chunks + " is missing", null);
                    }
                    byte[] bytes = row.getBytes(2);
                    if (bytes == null || Columns.checksum(bytes, checkpoint, chunk) != row.getLong(1)) {
                        throw damaged("chunk " + (chunk + 1) + " of " + chunks + " is damaged", null);
                    }
                    return bytes;
                }
            } catch (SQLException e) {
                throw damaged(Failures.reason(e), e);
            }
        }

        private IOException damaged(String why, @Nullable Throwable cause) {
            return new IOException(
                    "the checkpoint of event " + sequence + " in " + database.name() + " cannot be read: " + why,
                    cause);
        }
    }

    /**
     * Discards all checkpoints except the latest {@code staying}; returns the last event that all of these include, 0
     * if none are left.
     */
    long discard(int staying) throws StoreException {
        String what = "discard old checkpoints";
        long oldest = writer.transact(
                what,
                session -> session.number(
                        "SELECT MIN(sequence) FROM (SELECT sequence FROM checkpoints ORDER BY sequence DESC,"
                                + " checkpoint DESC LIMIT ?)"
                                + " AS staying",
                        0,
                        staying));
        while (writer.transact(
                        what,
                        session -> session.update(
                                "DELETE FROM checkpoints WHERE checkpoint = (SELECT checkpoint FROM checkpoints"
                                        + " ORDER BY sequence DESC, checkpoint DESC"
                                        + " LIMIT 1 OFFSET ?)",
                                staying))
                > 0) {
            // the chunks are deleted below; without this row they are ignored
        }
        while (writer.transact(what, session -> {
                    long orphan = session.number(
                            "SELECT MIN(checkpoint) FROM checkpoint_chunks WHERE checkpoint <> ? AND checkpoint NOT IN"
                                    + " (SELECT checkpoint FROM checkpoints)",
                            -1,
                            pendingCheckpoint);
                    return orphan < 0
                            ? 0
                            : session.update(
                                    "DELETE FROM checkpoint_chunks WHERE checkpoint = ? AND chunk ="
                                            + " (SELECT MIN(chunk) FROM checkpoint_chunks WHERE checkpoint = ?)",
                                    orphan,
                                    orphan);
                })
                > 0) {
            // one chunk per transaction, so that batches are written in between
        }
        return oldest;
    }

    /** Returns the last event that any checkpoint includes, 0 if there are none. */
    static long latest(Session session) throws SQLException {
        return session.number("SELECT MAX(sequence) FROM checkpoints", 0);
    }

    /** Discards checkpoints of events that the journal does not have. */
    static void discardAfter(Session session, long last) throws SQLException {
        session.update("DELETE FROM checkpoints WHERE sequence > ?", last);
    }
}
