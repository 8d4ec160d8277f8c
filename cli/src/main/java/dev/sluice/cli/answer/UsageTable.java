package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.UsageReport;
import dev.sluice.server.api.UsageView;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What queues, users, applications and nodes used. */
public final class UsageTable {

    private static final String MEMORY = "memory";
    private static final double GIB = 1L << 30;

    private final UsageReport report;
    private final Style style;
    private final List<String> types;

    /** Whether the processor time of any run was measured. */
    private final boolean measured;

    public UsageTable(UsageReport report, Style style) {
        this.report = report;
        this.style = style;
        this.measured = report.total().cpuHours() > 0 || report.total().cpuEfficiency() != null;
        this.types = report.total().resourceHours().keySet().stream()
                .sorted(Comparator.comparing((String type) -> !type.equals(ResourceTypes.VCORE))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Prints a table with a row for each group and one for the total. */
    public void print(PrintWriter out) {
        out.println(style.faint(interval()));
        TextTable table = new TextTable(Integer.MAX_VALUE);
        report.by().forEach(dimension -> table.text(dimension.toUpperCase(Locale.ROOT)));
        types.forEach(type -> table.number(title(type).toUpperCase(Locale.ROOT)));
        table.number("RUN-HOURS");
        if (measured) {
            table.number("CPU-HOURS").number("USED");
        }
        List.of("TASKS", "RUNS", "FAILED", "MEAN WAIT", "P50", "P90").forEach(table::number);
        if (!report.by().isEmpty()) {
            report.items().forEach(item -> table.row(cells(keys(item), item)));
        }
        List<String> total = new ArrayList<>(Collections.nCopies(report.by().size(), ""));
        if (!total.isEmpty()) {
            total.set(0, "total");
        }
        table.row(cells(total, report.total()));
        table.print(out, style, "");
        if (report.total().running() > 0) {
            out.println(style.faint(report.total().running() + " runs had not ended at the end of the interval"));
        }
    }

    private List<Cell> cells(List<String> keys, UsageView row) {
        List<Cell> cells = new ArrayList<>();
        keys.forEach(key -> cells.add(Cell.of(key)));
        types.forEach(type -> cells.add(Cell.of(rounded(hours(row, type)))));
        cells.add(Cell.of(rounded(row.runHours())));
        if (measured) {
            cells.add(Cell.of(rounded(row.cpuHours())));
            cells.add(Cell.of(row.cpuEfficiency() == null ? "–" : Texts.percent(row.cpuEfficiency())));
        }
        cells.add(Cell.of(row.tasks()));
        cells.add(Cell.of(row.runs()));
        cells.add(Cell.of(row.failures()));
        boolean waits = row.waits().count() > 0;
        cells.add(Cell.of(waits ? seconds(row.waits().mean()) : "–"));
        cells.add(Cell.of(waits ? seconds(row.waits().p50()) : "–"));
        cells.add(Cell.of(waits ? seconds(row.waits().p90()) : "–"));
        return cells;
    }

    private String interval() {
        String to = report.to().truncatedTo(ChronoUnit.SECONDS).toString();
        return report.from().equals(Instant.EPOCH)
                ? "up to " + to
                : "from " + report.from().truncatedTo(ChronoUnit.SECONDS) + " to " + to;
    }

    /** Prints comma-separated values: a header and a line for each group, or for the total without groups. */
    public void csv(PrintWriter out) {
        List<String> header = new ArrayList<>(report.by());
        types.forEach(type -> header.add(title(type).replace('-', '_')));
        header.addAll(List.of(
                "run_hours",
                "tasks",
                "runs",
                "failed_runs",
                "running",
                "waits",
                "mean_wait_seconds",
                "p50_wait_seconds",
                "p90_wait_seconds",
                "cpu_hours",
                "cpu_efficiency"));
        out.println(CsvLine.of(header));
        for (UsageView row : report.by().isEmpty() ? List.of(report.total()) : report.items()) {
            List<String> values = new ArrayList<>(keys(row));
            types.forEach(type -> values.add(Double.toString(hours(row, type))));
            values.add(Double.toString(row.runHours()));
            values.add(Long.toString(row.tasks()));
            values.add(Long.toString(row.runs()));
            values.add(Long.toString(row.failures()));
            values.add(Long.toString(row.running()));
            values.add(Long.toString(row.waits().count()));
            values.add(Double.toString(row.waits().mean()));
            values.add(Double.toString(row.waits().p50()));
            values.add(Double.toString(row.waits().p90()));
            values.add(Double.toString(row.cpuHours()));
            values.add(row.cpuEfficiency() == null ? "" : Double.toString(row.cpuEfficiency()));
            out.println(CsvLine.of(values));
        }
    }

    private List<String> keys(UsageView row) {
        return report.by().stream()
                .map(dimension -> Objects.requireNonNullElse(key(row, dimension), ""))
                .toList();
    }

    private static @Nullable String key(UsageView row, String dimension) {
        return switch (dimension) {
            case "queue" -> row.queue();
            case "user" -> row.user();
            case "application" -> row.application();
            default -> row.node();
        };
    }

    private static String title(String type) {
        return switch (type) {
            case ResourceTypes.VCORE -> "core-hours";
            case MEMORY -> "gib-hours";
            default -> type + "-hours";
        };
    }

    private static double hours(UsageView row, String type) {
        double hours = row.resourceHours().getOrDefault(type, 0.0);
        return type.equals(MEMORY) ? hours / GIB : hours;
    }

    private static String rounded(double hours) {
        return String.format(Locale.ROOT, "%,.2f", hours);
    }

    private static String seconds(double seconds) {
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        return seconds < 3600
                ? String.format(Locale.ROOT, "%.1f min", seconds / 60)
                : String.format(Locale.ROOT, "%,.1f h", seconds / 3600);
    }
}
