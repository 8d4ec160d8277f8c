package dev.sluice.server.store;

import dev.sluice.runtime.journal.JournalStore.Snapshot;
import dev.sluice.runtime.journal.JournalStore.SnapshotWriter;
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
 * Snapshots, in chunks of a transaction each, so that batches are written in between; a last row makes a snapshot complete. What a
 * program left half written counts for nothing, and is discarded with the next old snapshot.
 */
final class SnapshotTables {

    /** So small that a batch does not wait long for it. */
    static final int CHUNK_BYTES = 1 << 20;

    private final Database database;
    private final Writer writer;
    private volatile long inWriting = -1;

    SnapshotTables(Database database, Writer writer) {
        this.database = database;
        this.writer = writer;
    }

    void keep(long sequence, Instant at, SnapshotWriter content) throws StoreException {
        long nanos = Columns.exactNanos(at);
        String what = "keep the snapshot of event " + sequence;
        long snapshot = writer.transact(
                what,
                session -> Math.max(
                                session.number("SELECT MAX(snapshot) FROM snapshots", 0),
                                session.number("SELECT MAX(snapshot) FROM snapshot_chunks", 0))
                        + 1);
        inWriting = snapshot;
        try (ChunkOutput out = new ChunkOutput(snapshot, what)) {
            content.write(out);
            out.chunk();
            writer.transact(what, session -> {
                session.update(
                        "INSERT INTO snapshots (snapshot, sequence, at_nanos, chunks, checksum) VALUES (?, ?, ?, ?, ?)",
                        snapshot,
                        sequence,
                        nanos,
                        out.chunks,
                        checksum(snapshot, sequence, nanos, out.chunks));
                return true;
            });
        } catch (IOException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw new StoreException(Kind.UNAVAILABLE, "cannot " + what + ": " + Failures.reason(e), e);
        } finally {
            inWriting = -1;
        }
    }

    private static long checksum(long... columns) {
        return Columns.checksum(new byte[0], columns);
    }

    /** Writes a chunk whenever there is enough for one. */
    private final class ChunkOutput extends OutputStream {
        private final long snapshot;
        private final String what;
        private final byte[] buffer = new byte[CHUNK_BYTES];
        private int filled;
        private long chunks;

        ChunkOutput(long snapshot, String what) {
            this.snapshot = snapshot;
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
                            "INSERT INTO snapshot_chunks (snapshot, chunk, checksum, content) VALUES (?, ?, ?, ?)");
                    insert.setLong(1, snapshot);
                    insert.setLong(2, chunks);
                    insert.setLong(3, Columns.checksum(content, snapshot, chunks));
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

    /** The latest one before an event. What is damaged is found out when its content is read. */
    @Nullable Snapshot before(long sequence) throws StoreException {
        try (Connection connection = database.readers().getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT snapshot, sequence, at_nanos, chunks, checksum FROM snapshots"
                                + " WHERE sequence < ? ORDER BY sequence DESC, snapshot DESC LIMIT 1")) {
            select.setLong(1, sequence);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                long snapshot = row.getLong(1);
                long found = row.getLong(2);
                long nanos = row.getLong(3);
                long chunks = row.getLong(4);
                boolean whole = checksum(snapshot, found, nanos, chunks) == row.getLong(5);
                return new Snapshot(found, Columns.instant(nanos), new ChunkInput(snapshot, found, chunks, whole));
            }
        } catch (SQLException e) {
            throw Failures.of(database, "read the latest snapshot", e);
        }
    }

    /** Reads chunk after chunk, with a connection for each: whoever reads may take their time. */
    private final class ChunkInput extends InputStream {
        private final long snapshot;
        private final long sequence;
        private final long chunks;
        private final boolean whole;
        private byte[] content = new byte[0];
        private int position;
        private long next;

        ChunkInput(long snapshot, long sequence, long chunks, boolean whole) {
            this.snapshot = snapshot;
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
                            "SELECT checksum, content FROM snapshot_chunks WHERE snapshot = ? AND chunk = ?")) {
                select.setLong(1, snapshot);
                select.setLong(2, chunk);
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next()) {
                        throw damaged("part " + (chunk + 1) + " of " + chunks + " is missing", null);
                    }
                    byte[] bytes = row.getBytes(2);
                    if (bytes == null || Columns.checksum(bytes, snapshot, chunk) != row.getLong(1)) {
                        throw damaged("part " + (chunk + 1) + " of " + chunks + " is damaged", null);
                    }
                    return bytes;
                }
            } catch (SQLException e) {
                throw damaged(Failures.reason(e), e);
            }
        }

        private IOException damaged(String why, @Nullable Throwable cause) {
            return new IOException(
                    "the snapshot of event " + sequence + " in " + database.name() + " cannot be read: " + why, cause);
        }
    }

    /** Discards all but the latest ones; returns the event that all which stay include, 0 if there is none. */
    long discard(int staying) throws StoreException {
        String what = "discard old snapshots";
        long oldest = writer.transact(
                what,
                session -> session.number(
                        "SELECT MIN(sequence) FROM (SELECT sequence FROM snapshots ORDER BY sequence DESC, snapshot DESC LIMIT ?)"
                                + " AS staying",
                        0,
                        staying));
        while (writer.transact(
                        what,
                        session -> session.update(
                                "DELETE FROM snapshots WHERE snapshot = (SELECT snapshot FROM snapshots ORDER BY sequence DESC, snapshot DESC"
                                        + " LIMIT 1 OFFSET ?)",
                                staying))
                > 0) {
            // Chunks follow: without this row they count for nothing.
        }
        while (writer.transact(what, session -> {
                    long orphan = session.number(
                            "SELECT MIN(snapshot) FROM snapshot_chunks WHERE snapshot <> ? AND snapshot NOT IN"
                                    + " (SELECT snapshot FROM snapshots)",
                            -1,
                            inWriting);
                    return orphan < 0
                            ? 0
                            : session.update(
                                    "DELETE FROM snapshot_chunks WHERE snapshot = ? AND chunk ="
                                            + " (SELECT MIN(chunk) FROM snapshot_chunks WHERE snapshot = ?)",
                                    orphan,
                                    orphan);
                })
                > 0) {
            // One chunk each time, so that batches are written in between.
        }
        return oldest;
    }

    /** The latest event that any snapshot includes, 0 if there is none. */
    static long latest(Session session) throws SQLException {
        return session.number("SELECT MAX(sequence) FROM snapshots", 0);
    }

    /** Discards snapshots that know more than the journal has. */
    static void discardAfter(Session session, long last) throws SQLException {
        session.update("DELETE FROM snapshots WHERE sequence > ?", last);
    }
}
