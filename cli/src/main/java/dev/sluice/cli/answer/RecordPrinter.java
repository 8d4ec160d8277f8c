package dev.sluice.cli.answer;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.server.api.AuditView;
import dev.sluice.server.api.FinishedView;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Prints records of the history or the audit log one by one; only a table keeps them. */
public interface RecordPrinter {

    /** Prints the next record. */
    void add(JsonNode node);

    /**
     * Ends the output.
     *
     * @param next where the next page begins, or null if there are no more records
     */
    void end(@Nullable String next);

    /**
     * A kind of records.
     *
     * @param plural the name of several, such as {@code applications}
     * @param type the class of the records
     */
    record Kind<T>(String plural, Class<T> type, List<Column<T>> columns) {

        public Kind {
            columns = List.copyOf(columns);
        }

        private List<String> texts(JsonNode node, Function<Object, String> format, boolean tableOnly) {
            T value = ClientJson.value(node, type);
            return columns.stream()
                    .filter(column -> column.inTable || !tableOnly)
                    .map(column -> {
                        Object cell = column.value.apply(value);
                        return cell == null ? "" : format.apply(cell);
                    })
                    .toList();
        }
    }

    /**
     * A column.
     *
     * @param inTable whether tables have it, too
     * @param value returns its value of a record
     */
    record Column<T>(String name, boolean inTable, Function<T, @Nullable Object> value) {}

    /** Applications that have ended. */
    Kind<FinishedView> APPLICATIONS = new Kind<>(
            "applications",
            FinishedView.class,
            List.of(
                    new Column<>("id", true, FinishedView::id),
                    new Column<>("name", true, FinishedView::name),
                    new Column<>("partition", false, FinishedView::partition),
                    new Column<>("queue", true, FinishedView::queue),
                    new Column<>("user", true, FinishedView::user),
                    new Column<>("state", true, FinishedView::state),
                    new Column<>("reason", false, FinishedView::reason),
                    new Column<>("submitted", true, FinishedView::submitted),
                    new Column<>("ended", true, FinishedView::ended),
                    new Column<>("stops", true, RecordPrinter::stops)));

    /** Requests in the audit log. */
    Kind<AuditView> REQUESTS = new Kind<>(
            "requests",
            AuditView.class,
            List.of(
                    new Column<>("at", true, AuditView::at),
                    new Column<>("user", true, AuditView::user),
                    new Column<>("source", true, AuditView::source),
                    new Column<>("address", false, AuditView::address),
                    new Column<>("route", true, AuditView::route),
                    new Column<>("target", false, AuditView::target),
                    new Column<>("status", true, AuditView::status),
                    new Column<>("detail", true, AuditView::detail)));

    /** Returns a printer of comma-separated values, with a header. */
    static RecordPrinter csv(PrintWriter out, Kind<?> kind) {
        out.println(CsvLine.of(kind.columns().stream().map(Column::name).toList()));
        return new RecordPrinter() {
            @Override
            public void add(JsonNode node) {
                out.println(CsvLine.of(kind.texts(node, Objects::toString, false)));
            }

            @Override
            public void end(@Nullable String next) {}
        };
    }

    /** Returns a printer of JSON: an object with a list {@code items} and, if there are more, {@code next}. */
    static RecordPrinter json(PrintWriter out) {
        out.print("{\"items\": [");
        return new RecordPrinter() {
            private String separator = "\n  ";

            @Override
            public void add(JsonNode node) {
                out.print(separator + node);
                separator = ",\n  ";
            }

            @Override
            public void end(@Nullable String next) {
                out.println("\n]" + (next == null ? "" : ", \"next\": " + next) + "}");
            }
        };
    }

    /** Returns a printer of a table. */
    static RecordPrinter table(PrintWriter out, Style style, Kind<?> kind) {
        TextTable table = new TextTable(Integer.MAX_VALUE);
        kind.columns().stream()
                .filter(Column::inTable)
                .forEach(column -> table.text(column.name().toUpperCase(Locale.ROOT)));
        return new RecordPrinter() {
            private boolean empty = true;

            @Override
            public void add(JsonNode node) {
                empty = false;
                table.row(kind.texts(node, RecordPrinter::shortened, true).stream()
                        .map(Cell::of)
                        .toList());
            }

            @Override
            public void end(@Nullable String next) {
                if (empty) {
                    out.println("no " + kind.plural());
                    return;
                }
                table.print(out, style, "");
                if (next != null) {
                    out.println(style.faint("… and more (raise --limit)"));
                }
            }
        };
    }

    private static @Nullable String stops(FinishedView application) {
        return application.stops() == null
                ? null
                : application.stops().entrySet().stream()
                        .map(stop -> stop.getValue() + " " + stop.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static String shortened(Object value) {
        return value instanceof Instant instant
                ? instant.truncatedTo(ChronoUnit.SECONDS).toString()
                : value.toString();
    }
}
