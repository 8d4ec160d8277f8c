package dev.sluice.server.store;

import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table of what waited in queues. */
final class DemandTable implements DemandHistory {

    private static final String COLUMNS =
            "partition_name, queue, length_seconds, from_nanos, pending_tasks, pending, due";
    private static final String INSERT = "INSERT INTO demand (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (partition_name, queue, length_seconds, from_nanos) DO UPDATE SET"
            + " pending_tasks = excluded.pending_tasks, pending = excluded.pending, due = excluded.due";

    private final HistoryTables historyTables;
    private final Writer writer;

    private record Key(String partition, String queue, Duration length, Instant from) {}

    DemandTable(HistoryTables historyTables, Writer writer) {
        this.historyTables = historyTables;
        this.writer = writer;
    }

    @Override
    public void append(List<Demand> demands) throws StoreException {
        Map<Key, Demand> last = new LinkedHashMap<>(); // one statement may not replace a row twice
        for (Demand demand : demands) {
            last.put(
                    new Key(
                            Columns.indexed(demand.partition()),
                            Columns.indexed(demand.queue()),
                            demand.length(),
                            demand.from()),
                    demand);
        }
        writer.transact("write the demand of queues", session -> {
            HistoryTables.executeAll(session, INSERT, last.values(), DemandTable::set);
            return true;
        });
    }

    private static void set(PreparedStatement insert, Demand demand) throws SQLException {
        insert.setString(1, Columns.indexed(demand.partition()));
        insert.setString(2, Columns.indexed(demand.queue()));
        insert.setLong(3, demand.length().toSeconds());
        insert.setLong(4, Columns.nanos(demand.from()));
        insert.setLong(5, demand.pendingTasks());
        insert.setString(6, Columns.resources(demand.pending()));
        insert.setString(7, Columns.resources(demand.due()));
    }

    @Override
    public List<Demand> find(DemandQuery query) throws StoreException {
        List<Object> values = new ArrayList<>(List.of(
                Columns.indexed(query.partition()),
                query.length().toSeconds(),
                Columns.nanos(query.from()),
                Columns.nanos(query.to())));
        String ofQueue = "";
        if (!query.queue().isEmpty()) {
            ofQueue = " AND queue = ?";
            values.add(Columns.indexed(query.queue()));
        }
        return historyTables.select(
                "SELECT " + COLUMNS + " FROM demand WHERE partition_name = ? AND length_seconds = ?"
                        + " AND from_nanos >= ? AND from_nanos < ?" + ofQueue + " ORDER BY from_nanos, queue",
                values,
                "read the demand of queues",
                row -> new Demand(
                        row.getString(1),
                        row.getString(2),
                        Columns.instant(row.getLong(4)),
                        Duration.ofSeconds(row.getLong(3)),
                        row.getLong(5),
                        Columns.parseResources(row.getString(6)),
                        Columns.parseResources(row.getString(7))));
    }

    @Override
    public void discard(Duration length, Instant before) throws StoreException {
        writer.transact(
                "discard the demand of queues",
                session -> session.update(
                        "DELETE FROM demand WHERE length_seconds = ? AND from_nanos < ?",
                        length.toSeconds(),
                        Columns.nanos(before)));
    }
}
