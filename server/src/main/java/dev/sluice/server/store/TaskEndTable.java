package dev.sluice.server.store;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.journal.HistoryRecord.Beneficiary;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.TaskEndQuery;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The table of ended task runs. */
final class TaskEndTable {

    private static final String COLUMNS = "sequence, partition_name, application, submitted_nanos, task, attempt, node,"
            + " placed_nanos, started_nanos, ended_nanos, outcome, exit_code, detail, again, stop_reason,"
            + " for_queue, for_application, for_task, resources, cpu_nanos, memory_peak";

    /** Inserts a row; it can exist already only if the batch is written again, and then it is identical. */
    static final String INSERT = "INSERT INTO task_ends (" + COLUMNS
            + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sequence) DO NOTHING";

    private static final String STOPS = "SELECT stop_reason, COUNT(*) FROM task_ends WHERE stop_reason IS NOT NULL"
            + " AND partition_name = ? AND application = ? AND submitted_nanos = ? AND sequence < ? GROUP BY stop_reason";

    private final HistoryTables historyTables;

    TaskEndTable(HistoryTables historyTables) {
        this.historyTables = historyTables;
    }

    static void set(PreparedStatement insert, TaskEnd end) throws SQLException {
        String node = end.node();
        insert.setLong(1, end.sequence());
        insert.setString(2, Columns.text(end.partition()));
        insert.setString(3, Columns.text(end.application()));
        insert.setLong(4, Columns.nanos(end.submitted()));
        insert.setString(5, Columns.text(end.task()));
        insert.setLong(6, end.attempt());
        insert.setString(7, node == null ? null : Columns.text(node));
        setNumber(insert, 8, nanos(end.placed()));
        setNumber(insert, 9, nanos(end.started()));
        insert.setLong(10, Columns.nanos(end.ended()));
        insert.setString(11, end.outcome().name());
        Integer exitCode = end.exitCode();
        setNumber(insert, 12, exitCode == null ? null : Long.valueOf(exitCode));
        insert.setString(13, Columns.text(end.detail()));
        insert.setLong(14, end.again() ? 1 : 0);
        StopReason stopReason = end.stopReason();
        insert.setString(15, stopReason == null ? null : stopReason.name());
        Beneficiary beneficiary = end.beneficiary();
        insert.setString(16, beneficiary == null ? null : Columns.text(beneficiary.queue()));
        insert.setString(17, beneficiary == null ? null : Columns.text(beneficiary.application()));
        insert.setString(18, beneficiary == null ? null : Columns.text(beneficiary.task()));
        SortedMap<String, Long> resources = end.resources();
        insert.setString(19, resources == null ? null : Columns.text(Columns.resources(resources)));
        Duration cpuTime = end.measured().cpuTime();
        setNumber(insert, 20, cpuTime == null ? null : Long.valueOf(cpuTime.toNanos()));
        setNumber(insert, 21, end.measured().memoryPeak());
    }

    private static @Nullable Long nanos(@Nullable Instant instant) {
        return instant == null ? null : Long.valueOf(Columns.nanos(instant));
    }

    static void setNumber(PreparedStatement insert, int column, @Nullable Long number) throws SQLException {
        if (number == null) {
            insert.setNull(column, Types.BIGINT);
        } else {
            insert.setLong(column, number);
        }
    }

    List<TaskEnd> find(TaskEndQuery query) throws StoreException {
        StringBuilder sql = new StringBuilder("SELECT ")
                .append(COLUMNS)
                .append(" FROM task_ends WHERE partition_name = ? AND application = ? AND submitted_nanos = ?"
                        + " AND sequence < ?");
        List<Object> values = new ArrayList<>();
        values.add(Columns.text(query.partition()));
        values.add(Columns.text(query.application()));
        values.add(Columns.nanos(query.submitted()));
        values.add(query.before());
        if (query.task() != null) {
            sql.append(" AND task = ?");
            values.add(Columns.text(query.task()));
        }
        if (!query.outcomes().isEmpty()) {
            sql.append(" AND outcome IN (")
                    .append(HistoryTables.placeholders(query.outcomes().size()))
                    .append(")");
            query.outcomes().forEach(outcome -> values.add(outcome.name()));
        }
        sql.append(" ORDER BY sequence DESC LIMIT ?");
        values.add((long) query.limit());
        return historyTables.select(sql.toString(), values, "read ended task runs", TaskEndTable::end);
    }

    /** Returns the number of stops of an application until one of its ends; reads only runs that were stopped. */
    Map<StopReason, Long> stops(FinishedApplication application) throws StoreException {
        List<Object> values = List.of(
                Columns.text(application.partition()),
                Columns.text(application.id()),
                Columns.nanos(application.submitted()),
                application.sequence());
        Map<StopReason, Long> stops = new EnumMap<>(StopReason.class);
        historyTables
                .select(
                        STOPS,
                        values,
                        "count the stops of an application",
                        row -> Map.entry(StopReason.valueOf(row.getString(1)), row.getLong(2)))
                .forEach(count -> stops.put(count.getKey(), count.getValue()));
        return stops;
    }

    private static TaskEnd end(ResultSet row) throws SQLException {
        Long exitCode = number(row, 12);
        String stopReason = row.getString(15);
        String queue = row.getString(16);
        String resources = row.getString(19);
        Long cpuNanos = number(row, 20);
        return new TaskEnd(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                Columns.instant(row.getLong(4)),
                row.getString(5),
                row.getInt(6),
                row.getString(7),
                instant(row, 8),
                instant(row, 9),
                Columns.instant(row.getLong(10)),
                TaskOutcome.valueOf(row.getString(11)),
                exitCode == null ? null : exitCode.intValue(),
                row.getString(13),
                row.getLong(14) != 0,
                stopReason == null ? null : StopReason.valueOf(stopReason),
                queue == null ? null : new Beneficiary(queue, row.getString(17), row.getString(18)),
                resources == null ? null : Columns.parseResources(resources),
                new MeasuredUse(cpuNanos == null ? null : Duration.ofNanos(cpuNanos), null, number(row, 21)));
    }

    static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : number;
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        Long nanos = number(row, column);
        return nanos == null ? null : Columns.instant(nanos);
    }
}
