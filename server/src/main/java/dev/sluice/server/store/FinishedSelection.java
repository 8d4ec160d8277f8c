package dev.sluice.server.store;

import dev.sluice.runtime.journal.FinishedOrder;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import java.util.ArrayList;
import java.util.List;

/**
 * The statement of a query of finished applications.
 *
 * @param values its parameters
 */
record FinishedSelection(String sql, List<Object> values) {

    static final String COLUMNS =
            "sequence, partition_name, id, name, queue, user_name, state, reason, submitted_nanos, ended_nanos, document";

    /** The first application that ended at an instant or later: they end in the order of their sequence numbers. */
    private static final String FIRST_SINCE =
            "COALESCE((SELECT sequence FROM finished_applications WHERE ended_nanos >= ?"
                    + " ORDER BY ended_nanos, sequence LIMIT 1), " + Long.MAX_VALUE + ")";

    FinishedSelection {
        values = List.copyOf(values);
    }

    static FinishedSelection of(FinishedQuery query, Dialect dialect) {
        StringBuilder sql = new StringBuilder("SELECT " + COLUMNS + " FROM finished_applications"
                + dialect.indexedBy(index(query)) + " WHERE sequence < ?");
        List<Object> values = new ArrayList<>();
        values.add(query.before());
        if (query.partition() != null) {
            sql.append(" AND partition_name = ?");
            values.add(Columns.text(query.partition()));
        }
        if (query.id() != null) {
            sql.append(" AND id = ?");
            values.add(Columns.text(query.id()));
        }
        if (query.submitted() != null) {
            sql.append(" AND submitted_nanos = ?");
            values.add(Columns.nanos(query.submitted()));
        }
        if (query.name() != null) {
            sql.append(" AND name = ?");
            values.add(Columns.text(query.name()));
        }
        if (query.from() != null) {
            sql.append(" AND sequence >= ").append(FIRST_SINCE);
            values.add(Columns.nanos(query.from()));
        }
        if (query.to() != null) {
            sql.append(" AND sequence < ").append(FIRST_SINCE);
            values.add(Columns.nanos(query.to()));
        }
        if (query.user() != null) {
            sql.append(" AND user_name = ?");
            values.add(Columns.text(query.user()));
        }
        if (query.queue() != null) {
            String queue = Columns.indexed(query.queue());
            String end = queue + (char) ('.' + 1);
            // the first two conditions follow from the third; PostgreSQL checks them in the index, but an OR only in
            // the row
            sql.append(" AND queue >= ? AND queue < ? AND (queue = ? OR (queue >= ? AND queue < ?))");
            values.addAll(List.of(queue, end, queue, queue + ".", end));
        }
        if (query.state() != null) {
            sql.append(" AND state = ?");
            values.add(query.state().name());
        }
        order(query.order(), sql, values);
        sql.append(" LIMIT ?");
        values.add((long) query.limit());
        return new FinishedSelection(sql.toString(), values);
    }

    private static void order(FinishedOrder order, StringBuilder sql, List<Object> values) {
        String key = key(order.key());
        boolean descending = order.key().isDescending() != order.reversed();
        String passed = order.reversed() ? "sequence > ?" : "sequence < ?";
        FinishedApplication after = order.after();
        if (after != null && order.key() == FinishedOrder.Key.ENDED) {
            sql.append(" AND ").append(passed);
            values.add(after.sequence());
        } else if (after != null) {
            String beyond = descending ? " < ?" : " > ?";
            // the first condition follows from the second; it is where the index is entered
            sql.append(" AND ").append(key).append(descending ? " <= ?" : " >= ?");
            sql.append(" AND (")
                    .append(key)
                    .append(beyond)
                    .append(" OR ")
                    .append(passed)
                    .append(')');
            values.addAll(List.of(value(order.key(), after), value(order.key(), after), after.sequence()));
        }
        sql.append(" ORDER BY ");
        if (order.key() != FinishedOrder.Key.ENDED) {
            sql.append(key).append(descending ? " DESC, " : ", ");
        }
        sql.append(order.reversed() ? "sequence" : "sequence DESC");
    }

    private static String key(FinishedOrder.Key key) {
        return switch (key) {
            case ENDED -> "sequence";
            case SUBMITTED -> "submitted_nanos";
            case DURATION -> "(ended_nanos - submitted_nanos)";
            case QUEUE -> "queue";
            case USER -> "user_name";
        };
    }

    private static Object value(FinishedOrder.Key key, FinishedApplication application) {
        return switch (key) {
            case ENDED -> application.sequence();
            case SUBMITTED -> Columns.nanos(application.submitted());
            case DURATION -> Columns.nanos(application.ended()) - Columns.nanos(application.submitted());
            case QUEUE -> Columns.indexed(application.queue());
            case USER -> Columns.text(application.user());
        };
    }

    /**
     * Returns the index that bounds the work; empty for a query of all partitions. SQLite has no statistics: left to
     * itself, it would sort all applications of a user or a queue, or read the rows of an interval.
     */
    private static String index(FinishedQuery query) {
        if (query.partition() == null) {
            return "";
        }
        return query.id() != null
                ? "finished_by_id"
                : switch (query.order().key()) {
                    case ENDED ->
                        query.user() != null
                                ? "finished_by_user"
                                : query.name() != null ? "finished_by_name" : "finished_by_queue";
                    case SUBMITTED -> "finished_by_submitted";
                    case DURATION -> "finished_by_duration";
                    case QUEUE -> "finished_by_path";
                    case USER -> "finished_by_user";
                };
    }
}
