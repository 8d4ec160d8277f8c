package dev.sluice.server.store;

import dev.sluice.runtime.journal.HistoryRecord.Notification;
import dev.sluice.runtime.journal.NotificationOutbox;
import dev.sluice.runtime.journal.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The table of notifications that wait for their delivery. */
final class NotificationTable implements NotificationOutbox {

    /** Inserts a row; it can exist already only if the batch is written again, and then it is identical. */
    static final String INSERT = "INSERT INTO notifications (target, at_nanos, sequence, id, content)"
            + " VALUES (?, ?, ?, ?, ?) ON CONFLICT (target, at_nanos, sequence, id) DO NOTHING";

    private static final String DELETE =
            "DELETE FROM notifications WHERE target = ? AND at_nanos = ? AND sequence = ? AND id = ?";
    private static final String DELETE_TARGET = "DELETE FROM notifications WHERE target = ?";

    private final HistoryTables historyTables;
    private final Writer writer;

    NotificationTable(HistoryTables historyTables, Writer writer) {
        this.historyTables = historyTables;
        this.writer = writer;
    }

    static void set(PreparedStatement insert, Notification notification) throws SQLException {
        setKey(insert, notification);
        insert.setString(5, Columns.text(notification.content()));
    }

    private static void setKey(PreparedStatement statement, Notification notification) throws SQLException {
        statement.setString(1, Columns.text(notification.target()));
        statement.setLong(2, Columns.nanos(notification.at()));
        statement.setLong(3, notification.sequence());
        statement.setString(4, notification.id());
    }

    @Override
    public List<Notification> first(String target, int limit) throws StoreException {
        return historyTables.select(
                "SELECT sequence, target, id, at_nanos, content FROM notifications WHERE target = ?"
                        + " ORDER BY at_nanos, sequence, id LIMIT ?",
                List.of(Columns.text(target), (long) limit),
                "read notifications",
                row -> new Notification(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        Columns.instant(row.getLong(4)),
                        row.getString(5)));
    }

    @Override
    public void remove(List<Notification> notifications) throws StoreException {
        writer.transact("remove notifications", session -> {
            HistoryTables.executeAll(session, DELETE, notifications, NotificationTable::setKey);
            return true;
        });
    }

    @Override
    public void removeAll(String target) throws StoreException {
        writer.transact("remove notifications", session -> {
            HistoryTables.executeAll(
                    session, DELETE_TARGET, List.of(target), (delete, name) -> delete.setString(1, Columns.text(name)));
            return true;
        });
    }

    @Override
    public SortedMap<String, Long> counts() throws StoreException {
        SortedMap<String, Long> counts = new TreeMap<>();
        historyTables
                .select(
                        "SELECT target, COUNT(*) FROM notifications GROUP BY target",
                        List.of(),
                        "count notifications",
                        row -> Map.entry(row.getString(1), row.getLong(2)))
                .forEach(count -> counts.put(count.getKey(), count.getValue()));
        return counts;
    }
}
