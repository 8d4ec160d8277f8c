package dev.sluice.server.store;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.WaitHistory;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The table of why applications waited. */
final class WaitTable implements WaitHistory {

    private static final String COLUMNS =
            "partition_name, application, submitted_nanos, from_nanos, seen_nanos, code, detail, tasks";
    private static final String INSERT = "INSERT INTO waits (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (partition_name, application, submitted_nanos, from_nanos) DO UPDATE SET"
            + " seen_nanos = excluded.seen_nanos, code = excluded.code, detail = excluded.detail,"
            + " tasks = excluded.tasks";

    private static final String OF_APPLICATION =
            " WHERE partition_name = ? AND application = ? AND submitted_nanos = ?";

    /** Deletes the waits of an application but the latest ones. */
    private static final String TRIM = "DELETE FROM waits" + OF_APPLICATION + " AND from_nanos <= (SELECT from_nanos"
            + " FROM waits" + OF_APPLICATION + " ORDER BY from_nanos DESC LIMIT 1 OFFSET " + WAITS_MAX + ")";

    /** Deletes the waits of a forgotten application, which is still in the table of finished ones. */
    static final String DELETE = "DELETE FROM waits WHERE (partition_name, application, submitted_nanos) IN (SELECT"
            + " partition_name, id, submitted_nanos FROM finished_applications"
            + " WHERE partition_name = ? AND id = ? AND user_name = ? AND ended_nanos <= ?)";

    private final HistoryTables historyTables;
    private final Writer writer;

    private record Key(WaitingApplication application, Instant from) {}

    WaitTable(HistoryTables historyTables, Writer writer) {
        this.historyTables = historyTables;
        this.writer = writer;
    }

    @Override
    public void append(List<Wait> waits) throws StoreException {
        Map<Key, Wait> last = new LinkedHashMap<>(); // one statement may not replace a row twice
        Set<WaitingApplication> applications = new LinkedHashSet<>();
        for (Wait wait : waits) {
            last.put(new Key(wait.application(), wait.from()), wait);
            applications.add(wait.application());
        }
        writer.transact("write why applications waited", session -> {
            HistoryTables.executeAll(session, INSERT, last.values(), WaitTable::set);
            HistoryTables.executeAll(session, TRIM, applications, WaitTable::setTwice);
            return true;
        });
    }

    private static void set(PreparedStatement insert, Wait wait) throws SQLException {
        set(insert, 1, wait.application());
        insert.setLong(4, Columns.nanos(wait.from()));
        insert.setLong(5, Columns.nanos(wait.seen()));
        insert.setString(6, Columns.text(wait.code()));
        insert.setString(7, Columns.text(wait.detail()));
        insert.setLong(8, wait.tasks());
    }

    private static void set(PreparedStatement statement, int first, WaitingApplication application)
            throws SQLException {
        statement.setString(first, Columns.text(application.partition()));
        statement.setString(first + 1, Columns.text(application.id()));
        statement.setLong(first + 2, Columns.nanos(application.submitted()));
    }

    private static void setTwice(PreparedStatement trim, WaitingApplication application) throws SQLException {
        set(trim, 1, application);
        set(trim, 4, application);
    }

    @Override
    public List<Wait> find(WaitingApplication application, int limit) throws StoreException {
        return historyTables.select(
                "SELECT " + COLUMNS + " FROM waits" + OF_APPLICATION + " ORDER BY from_nanos DESC LIMIT ?",
                List.of(
                        Columns.text(application.partition()),
                        Columns.text(application.id()),
                        Columns.nanos(application.submitted()),
                        (long) limit),
                "read why applications waited",
                row -> new Wait(
                        application,
                        Columns.instant(row.getLong(4)),
                        Columns.instant(row.getLong(5)),
                        row.getString(6),
                        row.getString(7),
                        row.getLong(8)));
    }
}
