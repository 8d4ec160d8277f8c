package dev.sluice.server.store;

import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** Discards expired rows, a few per transaction, so that batches are written in between. */
final class RetentionCleaner {

    private static final int ROWS = 200;
    private static final long BYTES = 1 << 20;

    private final Database database;
    private final Writer writer;
    private final CheckpointTables checkpoints;

    RetentionCleaner(Database database, Writer writer, CheckpointTables checkpoints) {
        this.database = database;
        this.writer = writer;
        this.checkpoints = checkpoints;
    }

    void discard(Retention retention, Instant now) throws StoreException {
        long included = checkpoints.discard(retention.checkpoints());
        batches(included, Columns.nanos(now.minus(retention.journal())));
        delete(
                "DELETE FROM idempotency_records WHERE request_key IN"
                        + " (SELECT request_key FROM idempotency_records WHERE at_nanos < ? ORDER BY at_nanos LIMIT "
                        + ROWS + ")",
                Columns.nanos(now.minus(retention.idempotency())));
        long finished = Columns.nanos(now.minus(retention.finished()));
        ended("finished_applications", "ended_nanos", finished);
        ended("task_ends", "ended_nanos", finished);
        ended("run_usage", "released_nanos", finished);
        ended("audit", "at_nanos", finished);
        delete(
                "DELETE FROM waits WHERE (partition_name, application, submitted_nanos, from_nanos) IN (SELECT"
                        + " partition_name, application, submitted_nanos, from_nanos FROM waits WHERE seen_nanos < ?"
                        + " ORDER BY seen_nanos LIMIT " + ROWS + ")",
                finished);
        delete(
                "DELETE FROM run_accounts WHERE id IN"
                        + " (SELECT id FROM run_accounts WHERE last_nanos < ? ORDER BY last_nanos LIMIT " + ROWS + ")",
                finished);
    }

    private void batches(long included, long before) throws StoreException {
        while (true) {
            long end = endOfSlice(included, before);
            if (end == 0) {
                return;
            }
            writer.transact("discard old batches", session -> {
                session.update("UPDATE meta SET value = ? WHERE name = 'discarded'", end);
                return session.update("DELETE FROM journal WHERE first <= ?", end);
            });
        }
    }

    /** Returns the last event of the batches to discard next; 0 if none. */
    private long endOfSlice(long included, long before) throws StoreException {
        try (Connection connection = database.readers().getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "SELECT last, at_nanos, length(body) FROM journal ORDER BY first LIMIT " + ROWS);
                ResultSet rows = select.executeQuery()) {
            long end = 0;
            long bytes = 0;
            while (rows.next() && rows.getLong(1) <= included && rows.getLong(2) < before && bytes < BYTES) {
                end = rows.getLong(1);
                bytes += rows.getLong(3);
            }
            return end;
        } catch (SQLException e) {
            throw Failures.of(database, "discard old batches", e);
        }
    }

    /**
     * Discards expired applications or runs. They end in the order of their sequence numbers, so expired rows are
     * adjacent and need no index by time.
     */
    private void ended(String table, String time, long before) throws StoreException {
        delete(
                "DELETE FROM " + table + " WHERE sequence IN (SELECT sequence FROM"
                        + " (SELECT sequence, " + time + " FROM " + table + " ORDER BY sequence LIMIT " + ROWS
                        + ") AS oldest WHERE " + time + " < ?)",
                before);
    }

    private void delete(String sql, long before) throws StoreException {
        while (writer.transact("discard expired rows", session -> session.update(sql, before)) > 0) {
            // a few rows per transaction
        }
    }
}
