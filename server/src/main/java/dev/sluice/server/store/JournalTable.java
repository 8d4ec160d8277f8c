package dev.sluice.server.store;

import dev.sluice.runtime.journal.JournalStore.BatchReader;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import dev.sluice.runtime.journal.StoredBatch;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The batches of the journal; read in pages, so that readers do not block the writer for long. */
final class JournalTable {

    /** A page ends when its bodies exceed this size. */
    private static final int PAGE_BYTES = 4 << 20;

    private static final int PAGE_ROWS_MAX = 4096;

    /** Rows of the first page; later pages use the average size of batches. */
    private static final int PAGE_ROWS_FIRST = 16;

    private static final String COLUMNS = "SELECT first, last, at_nanos, checksum, body FROM journal ";

    private final Database database;

    JournalTable(Database database) {
        this.database = database;
    }

    /** Returns the last event, or the last discarded one if the journal is empty. Verifies the last batch. */
    long last(Session session) throws SQLException, StoreException {
        long discarded = discarded(session);
        try (ResultSet row =
                session.statement(COLUMNS + "ORDER BY first DESC LIMIT 1").executeQuery()) {
            if (!row.next()) {
                return discarded;
            }
            StoredBatch batch = batch(row, row.getLong(1));
            if (batch.first() <= discarded) {
                throw damaged(
                        "ends at event " + batch.last() + ", but events up to " + discarded + " have been discarded",
                        "");
            }
            return batch.last();
        }
    }

    /** Returns the last event whose batch was discarded. */
    static long discarded(Session session) throws SQLException {
        return session.number("SELECT value FROM meta WHERE name = 'discarded'", 0);
    }

    static long first(Session session) throws SQLException {
        return session.number("SELECT MIN(first) FROM journal", discarded(session) + 1);
    }

    /** Inserts a batch unless there is one with the same first event; returns whether it did. */
    static boolean insert(Session session, StoredBatch batch) throws SQLException {
        PreparedStatement insert = session.statement("INSERT INTO journal (first, last, at_nanos, checksum, body)"
                + " VALUES (?, ?, ?, ?, ?) ON CONFLICT (first) DO NOTHING");
        insert.setLong(1, batch.first());
        insert.setLong(2, batch.last());
        insert.setLong(3, Columns.exactNanos(batch.at()));
        insert.setLong(4, checksum(batch));
        insert.setBytes(5, batch.body());
        return insert.executeUpdate() == 1;
    }

    /** Returns whether the journal contains exactly this batch. */
    static boolean contains(Session session, StoredBatch batch) throws SQLException {
        PreparedStatement select = session.statement("SELECT last, checksum FROM journal WHERE first = ?");
        select.setLong(1, batch.first());
        try (ResultSet row = select.executeQuery()) {
            return row.next() && row.getLong(1) == batch.last() && row.getLong(2) == checksum(batch);
        }
    }

    private static long checksum(StoredBatch batch) {
        return Columns.checksum(batch.body(), batch.first(), batch.last(), Columns.exactNanos(batch.at()));
    }

    /**
     * Reads all batches with events after {@code after}.
     *
     * @param until the last event known to be written; an error if missing
     */
    void read(long after, long until, BatchReader reader) throws StoreException {
        long next = Math.max(0, after) + 1;
        int rows = PAGE_ROWS_FIRST;
        Page page = page(next, true, rows);
        while (!page.batches.isEmpty()) {
            for (StoredBatch batch : page.batches) {
                if (batch.first() > next || batch.last() < next) {
                    throw gap(next, batch.first());
                }
                try {
                    if (!reader.read(batch)) {
                        return;
                    }
                } catch (IOException e) {
                    throw new StoreException(
                            Kind.DAMAGED,
                            database.name() + ": events " + batch.first() + " to " + batch.last()
                                    + " cannot be decoded: " + Failures.reason(e) + ". " + hint(batch.first()),
                            e);
                }
                next = batch.last() + 1;
            }
            if (page.damage != null) {
                throw page.damage;
            }
            if (page.isLast) {
                break;
            }
            rows = page.rowsNext();
            page = page(next, false, rows);
        }
        if (page.damage != null) {
            throw page.damage;
        }
        if (next <= until) {
            throw gap(next, until + 1);
        }
    }

    /** Consecutive batches, up to the first damaged one. */
    private static final class Page {
        final List<StoredBatch> batches = new ArrayList<>();
        long bytes;
        boolean isLast;

        @Nullable StoreException damage;

        int rowsNext() {
            long average = Math.max(1, bytes / Math.max(1, batches.size()));
            return (int) Math.max(1, Math.min(PAGE_ROWS_MAX, PAGE_BYTES / average));
        }
    }

    private Page page(long next, boolean inside, int rows) throws StoreException {
        Page page = new Page();
        long expected = next;
        try (Connection connection = database.readers().getConnection()) {
            long from = inside ? firstOfBatchWith(connection, next) : next;
            expected = from;
            try (PreparedStatement select =
                    connection.prepareStatement(COLUMNS + "WHERE first >= ? ORDER BY first LIMIT ?")) {
                select.setLong(1, from);
                select.setInt(2, rows);
                try (ResultSet row = select.executeQuery()) {
                    int count = 0;
                    while (page.bytes < PAGE_BYTES && row.next()) {
                        StoredBatch batch = batch(row, expected);
                        page.batches.add(batch);
                        page.bytes += batch.body().length;
                        expected = batch.last() + 1;
                        count++;
                    }
                    page.isLast = page.bytes < PAGE_BYTES && count < rows;
                }
            }
        } catch (SQLException e) {
            StoreException failure = Failures.of(database, "read the journal from event " + expected, e);
            page.damage = failure.kind() == Kind.DAMAGED
                    ? new StoreException(
                            Kind.DAMAGED, failure.getMessage() + ", or read only the events before it", failure)
                    : failure;
        } catch (StoreException e) {
            page.damage = e;
        }
        return page;
    }

    private static long firstOfBatchWith(Connection connection, long event) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT first FROM journal WHERE first <= ? AND last >= ? ORDER BY first DESC LIMIT 1")) {
            select.setLong(1, event);
            select.setLong(2, event);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong(1) : event;
            }
        }
    }

    private StoredBatch batch(ResultSet row, long expected) throws SQLException, StoreException {
        long first = row.getLong(1);
        long last = row.getLong(2);
        long nanos = row.getLong(3);
        byte[] body = row.getBytes(5);
        if (body == null
                || first < 1
                || last < first
                || last - first >= Integer.MAX_VALUE
                || Columns.checksum(body, first, last, nanos) != row.getLong(4)) {
            throw damaged("the batch that starts with event " + expected + " is damaged", hint(expected));
        }
        return new StoredBatch(first, (int) (last - first + 1), Columns.instant(nanos), body);
    }

    private StoreException gap(long next, long found) throws StoreException {
        try (Connection connection = database.readers().getConnection();
                Session session = new Session(connection)) {
            long discarded = discarded(session);
            if (next <= discarded) {
                return new StoreException(
                        Kind.DAMAGED,
                        database.name() + " starts at event " + (discarded + 1)
                                + ": earlier events have been discarded, including " + next
                                + ". Start from a checkpoint");
            }
        } catch (SQLException e) {
            return Failures.of(database, "read the journal", e);
        }
        return damaged("the events from " + next + " to " + (found - 1) + " are missing", hint(next));
    }

    private StoreException damaged(String what, String hint) {
        return new StoreException(
                Kind.DAMAGED, database.name() + ": " + what + ". " + (hint.isEmpty() ? "Restore a backup" : hint));
    }

    private static String hint(long damaged) {
        return "Restore a backup, or read up to event " + (damaged - 1);
    }
}
