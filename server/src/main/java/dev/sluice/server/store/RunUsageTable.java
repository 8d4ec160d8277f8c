package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.journal.HistoryRecord.RunUsage;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.UsageQuery;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of what runs used. What equal tasks have in common is stored once, so a row of a run is small and a
 * million are read in about a second.
 */
final class RunUsageTable {

    /** Inserts a row; it can exist already only if the batch is written again, and then it is identical. */
    static final String INSERT = "INSERT INTO run_usage (sequence, account, node, placed_nanos, released_nanos,"
            + " waited_nanos, run_end, cpu_nanos) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sequence) DO NOTHING";

    static final String INSERT_ACCOUNT =
            "INSERT INTO run_accounts (id, partition_name, queue, user_name, name, resources, last_nanos)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?)"
                    + " ON CONFLICT (id) DO UPDATE SET last_nanos = excluded.last_nanos";

    /** Rows are in the order of {@code released_nanos}, so the interval begins at one row and is read from there. */
    private static final String ROWS = "FROM run_usage WHERE sequence >="
            + " (SELECT sequence FROM run_usage WHERE released_nanos >= ? ORDER BY released_nanos, sequence LIMIT 1)"
            + " AND sequence <= ? AND placed_nanos < ? ORDER BY sequence";

    private static final String ACCOUNTS = "SELECT id, queue, user_name, name, resources FROM run_accounts"
            + " WHERE last_nanos >= ? AND partition_name = ?";

    private static final int FETCHED = 10_000;

    private final Database database;

    RunUsageTable(Database database) {
        this.database = database;
    }

    static void set(PreparedStatement insert, RunUsage run) throws SQLException {
        insert.setLong(1, run.sequence());
        insert.setLong(2, id(run.account()));
        insert.setString(3, Columns.text(run.node()));
        insert.setLong(4, Columns.nanos(run.placed()));
        insert.setLong(5, Columns.nanos(run.released()));
        TaskEndTable.setNumber(insert, 6, nanos(run.waited()));
        insert.setLong(7, run.end().code());
        TaskEndTable.setNumber(insert, 8, nanos(run.cpuTime()));
    }

    private static @Nullable Long nanos(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(duration.toNanos());
    }

    static void setAccount(PreparedStatement insert, RunUsage run) throws SQLException {
        RunAccount account = run.account();
        insert.setLong(1, id(account));
        insert.setString(2, Columns.text(account.partition()));
        insert.setString(3, Columns.text(account.queue()));
        insert.setString(4, Columns.text(account.user()));
        insert.setString(5, Columns.text(account.application()));
        insert.setString(6, Columns.text(Columns.resources(account.resources())));
        insert.setLong(7, Columns.nanos(run.released()));
    }

    /** Returns a digest, which needs no lookup when a row is written. */
    private static long id(RunAccount account) {
        String text = String.join(
                "\0",
                account.partition(),
                account.queue(),
                account.user(),
                account.application(),
                Columns.resources(account.resources()));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    void read(UsageQuery query, UsageQuery.UsageReader reader) throws StoreException {
        String what = "read the usage";
        try (Connection connection = database.readers().getConnection()) {
            boolean automatic = connection.getAutoCommit();
            connection.setAutoCommit(false); // otherwise the driver of PostgreSQL reads all rows at once
            try {
                read(connection, query, reader);
            } finally {
                connection.rollback();
                connection.setAutoCommit(automatic);
            }
        } catch (SQLException e) {
            throw Failures.of(database, what, e);
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException | NullPointerException e) {
            throw HistoryTables.damaged(database, what, e);
        }
    }

    private static void read(Connection connection, UsageQuery query, UsageQuery.UsageReader reader)
            throws SQLException {
        String columns = "SELECT account, placed_nanos, released_nanos, waited_nanos, run_end, cpu_nanos"
                + (query.nodes() ? ", node " : " ");
        Map<Long, RunAccount> accounts = accounts(connection, query);
        try (PreparedStatement select = connection.prepareStatement(columns + ROWS)) {
            select.setFetchSize(FETCHED);
            select.setLong(1, Columns.nanos(query.from()));
            select.setLong(2, query.last());
            select.setLong(3, Columns.nanos(query.to()));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    RunAccount account = accounts.get(rows.getLong(1));
                    if (account != null) {
                        reader.read(
                                account,
                                query.nodes() ? rows.getString(7) : "",
                                rows.getLong(2),
                                rows.getLong(3),
                                TaskEndTable.number(rows, 4),
                                RunEnd.of(rows.getInt(5)),
                                TaskEndTable.number(rows, 6));
                    }
                }
            }
        }
    }

    /** Returns the accounts of the partition whose last run was released in the interval or later. */
    private static Map<Long, RunAccount> accounts(Connection connection, UsageQuery query) throws SQLException {
        Map<Long, RunAccount> accounts = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(ACCOUNTS)) {
            select.setFetchSize(FETCHED);
            select.setLong(1, Columns.nanos(query.from()));
            select.setString(2, Columns.text(query.partition()));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    accounts.put(
                            rows.getLong(1),
                            new RunAccount(
                                    query.partition(),
                                    rows.getString(2),
                                    rows.getString(3),
                                    rows.getString(4),
                                    Columns.parseResources(rows.getString(5))));
                }
            }
        }
        return accounts;
    }
}
