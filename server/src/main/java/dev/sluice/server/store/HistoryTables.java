package dev.sluice.server.store;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.HistoryRecord.ConfigurationRevision;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.HistoryRecord.ForgottenApplication;
import dev.sluice.runtime.journal.HistoryRecord.IdempotencyRecord;
import dev.sluice.runtime.journal.HistoryRecord.Notification;
import dev.sluice.runtime.journal.HistoryRecord.RunUsage;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tables for queries of the history: idempotency records, finished applications, configuration revisions, and ended
 * task runs in {@link TaskEndTable} and {@link RunUsageTable}. Also inserts the rows of {@link NotificationTable}.
 */
final class HistoryTables {

    private static final String IDEMPOTENCY = "request_key, fingerprint, status, answer, at_nanos";
    private static final String REVISIONS = "revision, actor, note, document, at_nanos";

    private static final String INSERT_IDEMPOTENCY = upsert("idempotency_records", IDEMPOTENCY);
    private static final String INSERT_APPLICATION = upsert("finished_applications", FinishedSelection.COLUMNS);
    private static final String INSERT_REVISION = upsert("configuration_revisions", REVISIONS);

    /** Deletes few rows: runs of the tasks, of which there may be many, expire later. */
    private static final String DELETE_APPLICATION =
            "DELETE FROM finished_applications WHERE partition_name = ? AND id = ? AND user_name = ? AND ended_nanos <= ?";

    private final Database database;

    HistoryTables(Database database) {
        this.database = database;
    }

    /** Returns a statement that inserts a row, or replaces the row with the same key, which is the first column. */
    private static String upsert(String table, String columns) {
        String[] names = columns.split(", ", -1);
        return "INSERT INTO " + table + " (" + columns + ") VALUES (" + placeholders(names.length) + ") ON CONFLICT ("
                + names[0] + ") DO UPDATE SET "
                + Arrays.stream(names, 1, names.length)
                        .map(name -> name + " = excluded." + name)
                        .collect(Collectors.joining(", "));
    }

    /** Returns question marks, separated by commas. */
    static String placeholders(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    /** Inserts records, of several with the same key the last one; then deletes forgotten applications. */
    static void insert(Session session, List<HistoryRecord> historyRecords) throws SQLException {
        Map<String, IdempotencyRecord> receipts = new LinkedHashMap<>();
        Map<Long, FinishedApplication> finished = new LinkedHashMap<>();
        Map<Long, ConfigurationRevision> revisions = new LinkedHashMap<>();
        Map<Long, TaskEnd> taskEnds = new LinkedHashMap<>();
        Map<Long, RunUsage> usage = new LinkedHashMap<>();
        Map<RunAccount, RunUsage> accounts = new LinkedHashMap<>();
        List<ForgottenApplication> forgotten = new ArrayList<>();
        List<Notification> notifications = new ArrayList<>();
        for (HistoryRecord historyRecord : historyRecords) {
            if (historyRecord instanceof IdempotencyRecord receipt) {
                receipts.put(Columns.text(receipt.key()), receipt);
            } else if (historyRecord instanceof FinishedApplication application) {
                finished.put(application.sequence(), application);
            } else if (historyRecord instanceof TaskEnd end) {
                taskEnds.put(end.sequence(), end);
            } else if (historyRecord instanceof RunUsage run) {
                usage.put(run.sequence(), run);
                accounts.put(run.account(), run);
            } else if (historyRecord instanceof ForgottenApplication application) {
                forgotten.add(application);
            } else if (historyRecord instanceof ConfigurationRevision revision) {
                revisions.put(revision.revision(), revision);
            } else if (historyRecord instanceof Notification notification) {
                notifications.add(notification);
            }
        }
        executeAll(session, INSERT_IDEMPOTENCY, receipts.values(), HistoryTables::set);
        executeAll(session, INSERT_APPLICATION, finished.values(), HistoryTables::set);
        executeAll(session, INSERT_REVISION, revisions.values(), HistoryTables::set);
        executeAll(session, TaskEndTable.INSERT, taskEnds.values(), TaskEndTable::set);
        executeAll(session, RunUsageTable.INSERT_ACCOUNT, accounts.values(), RunUsageTable::setAccount);
        executeAll(session, RunUsageTable.INSERT, usage.values(), RunUsageTable::set);
        executeAll(session, WaitTable.DELETE, forgotten, HistoryTables::set); // before the rows that it refers to
        executeAll(session, DELETE_APPLICATION, forgotten, HistoryTables::set);
        executeAll(session, NotificationTable.INSERT, notifications, NotificationTable::set);
    }

    @FunctionalInterface
    interface Setter<T> {
        void set(PreparedStatement statement, T value) throws SQLException;
    }

    /** Executes a statement for each of these values, in one round trip. */
    static <T> void executeAll(Session session, String sql, Collection<T> values, Setter<T> setter)
            throws SQLException {
        if (values.isEmpty()) {
            return;
        }
        PreparedStatement statement = session.statement(sql);
        try {
            for (T value : values) {
                setter.set(statement, value);
                statement.addBatch();
            }
            statement.executeBatch();
        } finally {
            statement.clearBatch();
        }
    }

    private static void set(PreparedStatement insert, IdempotencyRecord receipt) throws SQLException {
        insert.setString(1, Columns.text(receipt.key()));
        insert.setString(2, Columns.text(receipt.fingerprint()));
        insert.setLong(3, receipt.status());
        insert.setString(4, Columns.text(receipt.answer()));
        insert.setLong(5, Columns.nanos(receipt.at()));
    }

    private static void set(PreparedStatement insert, FinishedApplication application) throws SQLException {
        insert.setLong(1, application.sequence());
        insert.setString(2, Columns.text(application.partition()));
        insert.setString(3, Columns.text(application.id()));
        insert.setString(4, Columns.text(application.name()));
        insert.setString(5, Columns.indexed(application.queue()));
        insert.setString(6, Columns.text(application.user()));
        insert.setString(7, application.state().name());
        insert.setString(8, Columns.text(application.reason()));
        insert.setLong(9, Columns.nanos(application.submitted()));
        insert.setLong(10, Columns.nanos(application.ended()));
        insert.setString(11, Columns.text(application.document()));
    }

    private static void set(PreparedStatement delete, ForgottenApplication application) throws SQLException {
        delete.setString(1, Columns.text(application.partition()));
        delete.setString(2, Columns.text(application.id()));
        delete.setString(3, Columns.text(application.user()));
        delete.setLong(4, Columns.nanos(application.at()));
    }

    private static void set(PreparedStatement insert, ConfigurationRevision revision) throws SQLException {
        insert.setLong(1, revision.revision());
        insert.setString(2, Columns.text(revision.actor()));
        insert.setString(3, Columns.text(revision.note()));
        insert.setString(4, Columns.text(revision.text()));
        insert.setLong(5, Columns.nanos(revision.at()));
    }

    List<IdempotencyRecord> idempotencyRecords(Instant since, int limit) throws StoreException {
        List<IdempotencyRecord> receipts = select(
                "SELECT " + IDEMPOTENCY + " FROM idempotency_records WHERE at_nanos >= ?"
                        + " ORDER BY at_nanos DESC, request_key DESC LIMIT ?",
                List.of(Columns.nanos(since), (long) limit),
                "read the idempotency records",
                row -> new IdempotencyRecord(
                        row.getString(1),
                        row.getString(2),
                        row.getInt(3),
                        row.getString(4),
                        Columns.instant(row.getLong(5))));
        Collections.reverse(receipts);
        return receipts;
    }

    List<FinishedApplication> finished(FinishedQuery query) throws StoreException {
        FinishedSelection selection = FinishedSelection.of(query, database.dialect());
        return select(
                selection.sql(),
                selection.values(),
                "read finished applications",
                row -> new FinishedApplication(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        ApplicationState.valueOf(row.getString(7)),
                        row.getString(8),
                        Columns.instant(row.getLong(9)),
                        Columns.instant(row.getLong(10)),
                        row.getString(11)));
    }

    List<ConfigurationRevision> revisions(long before, int limit) throws StoreException {
        return select(
                "SELECT " + REVISIONS + " FROM configuration_revisions WHERE revision < ?"
                        + " ORDER BY revision DESC LIMIT ?",
                List.of(before, (long) limit),
                "read the configuration revisions",
                row -> new ConfigurationRevision(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        Columns.instant(row.getLong(5))));
    }

    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Executes a query and converts its rows. */
    <T> List<T> select(String sql, List<? extends Object> values, String what, RowReader<T> reader)
            throws StoreException {
        List<T> found = new ArrayList<>();
        try (Connection connection = database.readers().getConnection();
                PreparedStatement select = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                select.setObject(i + 1, values.get(i));
            }
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(reader.read(rows));
                }
            }
            return found;
        } catch (SQLException e) {
            throw Failures.of(database, what, e);
        } catch (IllegalArgumentException | NullPointerException e) {
            throw damaged(database, what, e);
        }
    }

    static StoreException damaged(Database database, String what, RuntimeException cause) {
        return new StoreException(
                StoreException.Kind.DAMAGED,
                "cannot " + what + " in " + database.name() + ": a row is damaged. Restore a backup",
                cause);
    }
}
