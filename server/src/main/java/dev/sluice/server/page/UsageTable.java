package dev.sluice.server.page;

import dev.sluice.server.api.UsageReport;
import dev.sluice.server.api.UsageView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Usage as a table in the CSV format (RFC 4180), for accounting. */
final class UsageTable {

    private UsageTable() {}

    /** Returns the name of a group; empty if it has none. */
    static String name(UsageView row, String by) {
        return Objects.requireNonNullElse(
                switch (by) {
                    case "user" -> row.user();
                    case "application" -> row.application();
                    case "node" -> row.node();
                    default -> row.queue();
                },
                "");
    }

    /** Returns the table of all groups, in base units and hours. */
    static String csv(UsageReport report, String by) {
        TreeSet<String> types = new TreeSet<>(report.total().resourceHours().keySet());
        report.items().forEach(row -> types.addAll(row.resourceHours().keySet()));
        StringBuilder table = new StringBuilder();
        List<String> head = new ArrayList<>(
                List.of("from", "to", "partition", by, "tasks", "runs", "failures", "running", "run hours"));
        types.forEach(type -> head.add(type + " hours"));
        head.addAll(List.of("cpu hours", "cpu efficiency"));
        line(table, head);
        for (UsageView row : report.items()) {
            List<String> cells = new ArrayList<>(List.of(
                    report.from().toString(),
                    report.to().toString(),
                    report.partition(),
                    name(row, by),
                    Long.toString(row.tasks()),
                    Long.toString(row.runs()),
                    Long.toString(row.failures()),
                    Long.toString(row.running()),
                    Double.toString(row.runHours())));
            types.forEach(type -> cells.add(Double.toString(row.resourceHours().getOrDefault(type, 0.0))));
            cells.add(Double.toString(row.cpuHours()));
            cells.add(row.cpuEfficiency() == null ? "" : Double.toString(row.cpuEfficiency()));
            line(table, cells);
        }
        return table.toString();
    }

    private static void line(StringBuilder table, List<String> cells) {
        table.append(String.join(",", cells.stream().map(UsageTable::cell).toList()))
                .append("\r\n");
    }

    /** Returns a quoted cell; spreadsheets must not take a name for a formula. */
    private static String cell(String text) {
        boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
        return '"' + (formula ? "'" : "") + text.replace("\"", "\"\"") + '"';
    }
}
