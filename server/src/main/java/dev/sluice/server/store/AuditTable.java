package dev.sluice.server.store;

import dev.sluice.runtime.journal.AuditLog;
import dev.sluice.runtime.journal.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The table of the audit log. */
final class AuditTable implements AuditLog {

    private static final String COLUMNS =
            "sequence, at_nanos, user_name, source, address, route, target, status, detail";
    private static final String INSERT =
            "INSERT INTO audit (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sequence) DO NOTHING";

    private final HistoryTables historyTables;
    private final Writer writer;

    AuditTable(HistoryTables historyTables, Writer writer) {
        this.historyTables = historyTables;
        this.writer = writer;
    }

    @Override
    public void append(List<AuditEntry> entries) throws StoreException {
        writer.transact("write the audit log", session -> {
            HistoryTables.executeAll(session, INSERT, entries, AuditTable::set);
            return true;
        });
    }

    private static void set(PreparedStatement insert, AuditEntry entry) throws SQLException {
        insert.setLong(1, entry.sequence());
        insert.setLong(2, Columns.nanos(entry.at()));
        insert.setString(3, Columns.text(entry.user()));
        insert.setString(4, Columns.text(entry.source()));
        insert.setString(5, Columns.text(entry.address()));
        insert.setString(6, Columns.text(entry.route()));
        insert.setString(7, Columns.text(entry.target()));
        insert.setLong(8, entry.status());
        insert.setString(9, Columns.text(entry.detail()));
    }

    @Override
    public List<AuditEntry> find(AuditQuery query) throws StoreException {
        StringBuilder sql = new StringBuilder("SELECT " + COLUMNS + " FROM audit WHERE sequence < ?");
        List<Object> values = new ArrayList<>(List.of(query.before()));
        if (query.user() != null) {
            sql.append(" AND user_name = ?");
            values.add(Columns.text(query.user()));
        }
        if (query.from() != null) {
            sql.append(" AND at_nanos >= ?");
            values.add(Columns.nanos(query.from()));
        }
        if (query.to() != null) {
            sql.append(" AND at_nanos < ?");
            values.add(Columns.nanos(query.to()));
        }
        sql.append(" ORDER BY sequence DESC LIMIT ?");
        values.add((long) query.limit());
        return historyTables.select(
                sql.toString(),
                values,
                "read the audit log",
                row -> new AuditEntry(
                        row.getLong(1),
                        Columns.instant(row.getLong(2)),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        row.getString(7),
                        row.getInt(8),
                        row.getString(9)));
    }
}
