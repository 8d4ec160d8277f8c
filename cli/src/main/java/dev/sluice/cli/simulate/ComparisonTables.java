package dev.sluice.cli.simulate;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.StopFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.report.Rejections;
import dev.sluice.simulator.report.SmallestClusterText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Prints the comparison of simulations as tables. */
public final class ComparisonTables {

    private static final int ROWS_MAX = 20;
    private static final int REASONS_MAX = 3;

    private static final List<String> NOTE = List.of(
            "WAIT and SLOWDOWN are means. --all shows every figure, --report FILE writes an",
            "HTML report with plots.");

    private static final List<String> NOTE_DIVIDED = List.of(
            "WAIT and SLOWDOWN are means; UNFAIR is the share of nodes that went to the",
            "wrong queues. --all shows every figure, --report FILE writes an HTML report.");

    private final Comparison comparison;
    private final Map<String, Measure> measures;
    private final PrintWriter out;
    private final Style style;
    private final boolean all;

    /** @param all whether to print all figures and all rows */
    public ComparisonTables(Comparison comparison, PrintWriter out, Style style, boolean all) {
        this.comparison = comparison;
        this.measures = Measure.of(comparison.runs()).stream()
                .collect(Collectors.toMap(Measure::name, measure -> measure, (one, same) -> one, LinkedHashMap::new));
        this.out = out;
        this.style = style;
        this.all = all;
    }

    /** Prints the most important figures, which fit 80 columns with names of common length, or all figures. */
    public void print() {
        comparison.runs().stream()
                .map(Rejections::sentence)
                .filter(Objects::nonNull)
                .forEach(sentence -> out.println(style.bad(TextWidth.printable(sentence))));
        workload();
        out.println();
        if (all) {
            waiting();
            out.println();
            sharing();
        } else {
            summary();
        }
        if (measures.containsKey("mean gang wait")) {
            out.println();
            gangs();
        }
        List<RunFigures> configurations = comparison.runs().stream()
                .filter(run -> run.kind() == RunFigures.RunKind.CONFIGURATION)
                .toList();
        if (configurations.stream().anyMatch(RunFigures::isDivided)) {
            out.println();
            queues(configurations);
        }
        notes();
        for (RunFigures run : configurations) {
            reasons(run);
        }
        if (!comparison.enough().isEmpty()) {
            enough();
        }
    }

    /** Prints how many nodes are enough; last, since it is the answer. */
    private void enough() {
        SmallestClusterText text = new SmallestClusterText(List.copyOf(measures.values()), MeasureText::text);
        out.println();
        out.println(style.strong(text.conditions(comparison.enough().get(0))));
        comparison.enough().forEach(result -> out.println("  " + TextWidth.printable(text.sentence(result))));
        out.println();
        comparison.enough().forEach(result -> out.println(style.faint(TextWidth.printable(text.simulated(result)))));
        out.println(style.faint(SmallestClusterText.CAVEAT));
    }

    private void notes() {
        out.println();
        if (!all) {
            for (String line : comparison.runs().stream().anyMatch(RunFigures::isDivided) ? NOTE_DIVIDED : NOTE) {
                out.println(style.faint(line));
            }
        }
        if (comparison.runs().stream().anyMatch(run -> run.kind() != RunFigures.RunKind.CONFIGURATION)) {
            out.println(style.faint("Rows in brackets are bounds for comparison."));
        }
        if (comparison.repetitions() > 1) {
            out.println(style.faint("Figures are means of " + comparison.repetitions()
                    + " repetitions, with minimum and maximum; queues are of the first."));
        }
    }

    private void workload() {
        WorkloadFigures workload = comparison.workload();
        out.println(style.strong(workload.name())
                + String.format(
                        Locale.ROOT,
                        ": %,d applications, %,d tasks, %,d users, submitted within %s, on %s",
                        workload.applications(),
                        workload.tasks(),
                        workload.users(),
                        Spans.text(seconds(workload)),
                        nodes()));
    }

    /** Returns the number of nodes, or the range of several clusters. */
    private String nodes() {
        IntSummaryStatistics nodes =
                comparison.clusters().stream().mapToInt(ClusterFigures::nodes).summaryStatistics();
        String least = nodes.getMin() == nodes.getMax() ? "" : MeasureText.count(nodes.getMin()) + " to ";
        return least + MeasureText.count(nodes.getMax()) + (nodes.getMax() == 1 ? " node" : " nodes");
    }

    private static double seconds(WorkloadFigures workload) {
        return workload.last().toEpochMilli() / 1000.0 - workload.first().toEpochMilli() / 1000.0;
    }

    /** A column of the tables of runs. */
    private record MeasureColumn(String title, Measure measure) {}

    private MeasureColumn column(String title, String measure) {
        return new MeasureColumn(title, Objects.requireNonNull(measures.get(measure), measure));
    }

    private List<MeasureColumn> utilisations() {
        return measures.values().stream()
                .filter(Measure::isUtilisation)
                .map(measure -> new MeasureColumn(measure.label().toUpperCase(Locale.ROOT), measure))
                .toList();
    }

    /** Prints the most important figures. */
    private void summary() {
        List<MeasureColumn> columns = new ArrayList<>(List.of(
                column("WAIT", "mean wait"),
                column("P90", "p90 wait"),
                column("MAX", "max wait"),
                column("SLOWDOWN", "mean slowdown")));
        columns.addAll(utilisations());
        if (comparison.runs().stream().anyMatch(RunFigures::isDivided)) {
            columns.add(column("UNFAIR", "unfairness"));
        }
        for (String failure : List.of("preempted", "timed out", "never started", "rejected")) {
            MeasureColumn column = column(failure.toUpperCase(Locale.ROOT), failure);
            if (comparison.runs().stream()
                    .anyMatch(run -> column.measure.spread(run).max() > 0)) {
                columns.add(column);
            }
        }
        runs(columns);
    }

    /** Prints waiting times and makespan. */
    private void waiting() {
        List<MeasureColumn> columns = new ArrayList<>(List.of(
                column("WAIT MEAN", "mean wait"),
                column("P50", "p50 wait"),
                column("P90", "p90 wait"),
                column("P99", "p99 wait"),
                column("MAX", "max wait"),
                column("SLOWDOWN MEAN", "mean slowdown"),
                column("P90", "p90 slowdown"),
                column("P99", "p99 slowdown"),
                column("MAKESPAN", "makespan"),
                column("TASKS/H", "throughput")));
        columns.addAll(utilisations());
        runs(columns);
    }

    /** Prints fairness and waste. */
    private void sharing() {
        runs(List.of(
                column("UNFAIR", "unfairness"),
                column("JAIN QUEUES", "queue Jain index"),
                column("USERS", "user Jain index"),
                column("FRAGMENTED", "fragmented"),
                column("WITHHELD", "withheld"),
                column("ON LOAN", "loans"),
                column("PREEMPTED", "preempted"),
                column("TIMED OUT", "timed out"),
                column("LOST WORK", "lost work"),
                column("NEVER STARTED", "never started"),
                column("REJECTED", "rejected")));
        stops();
    }

    /** Prints the stopped runs by reason, if there are any. */
    private void stops() {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("CONFIGURATION")
                .text("STOPPED FOR")
                .number("STOPS")
                .number("LOST WORK");
        boolean any = false;
        for (RunFigures run : comparison.runs()) {
            for (Map.Entry<String, StopFigures> stopped : run.total().stopped().entrySet()) {
                any = true;
                table.row(List.of(
                        Cell.of(run.name()),
                        Cell.of(stopped.getKey()),
                        Cell.of(MeasureText.count(stopped.getValue().stops())),
                        Cell.of(Spans.text(stopped.getValue().lostSeconds()))));
            }
        }
        if (any) {
            out.println();
            table.print(out, style, "");
        }
    }

    /** Prints how long gangs waited. */
    private void gangs() {
        runs(List.of(
                column("GANG WAIT", "mean gang wait"),
                column("P50", "p50 gang wait"),
                column("P90", "p90 gang wait"),
                column("TIMED OUT", "gang timeouts")));
    }

    /** Prints a row for each run, with repetitions followed by their minimum and maximum. */
    private void runs(List<MeasureColumn> columns) {
        TextTable table = new TextTable(Integer.MAX_VALUE).text("CONFIGURATION");
        columns.forEach(column -> table.number(column.title));
        for (RunFigures run : comparison.runs()) {
            row(table, name(run), run, columns, MeasureSpread::mean);
            if (!run.spread().isEmpty()) {
                row(table, new Cell("  min", style::faint), run, columns, MeasureSpread::min);
                row(table, new Cell("  max", style::faint), run, columns, MeasureSpread::max);
            }
        }
        table.print(out, style, "");
    }

    private static void row(
            TextTable table,
            Cell name,
            RunFigures run,
            List<MeasureColumn> columns,
            ToDoubleFunction<MeasureSpread> value) {
        List<Cell> cells = new ArrayList<>(List.of(name));
        for (MeasureColumn column : columns) {
            double number = value.applyAsDouble(column.measure.spread(run));
            cells.add(Cell.of(MeasureText.text(column.measure.unit(), number)));
        }
        table.row(cells);
    }

    /** A queue of one configuration. */
    private record QueueRow(QueueFigures queue, RunFigures run) {}

    /**
     * Prints a row for each leaf queue and configuration, ordered by the queue's largest number of tasks, then path;
     * rows of one queue are adjacent.
     */
    private void queues(List<RunFigures> configurations) {
        Map<String, Long> most = new HashMap<>();
        List<QueueRow> rows = new ArrayList<>();
        for (RunFigures run : configurations) {
            for (QueueFigures queue : leaves(run)) {
                most.merge(queue.path(), queue.tasks().tasks(), Math::max);
                rows.add(new QueueRow(queue, run));
            }
        }
        rows.sort((a, b) -> {
            String path = a.queue.path();
            String other = b.queue.path();
            int order = Long.compare(most.getOrDefault(other, 0L), most.getOrDefault(path, 0L));
            return order != 0 ? order : path.compareTo(other);
        });
        int shown = all ? rows.size() : Math.min(rows.size(), ROWS_MAX);
        if (shown < rows.size()) {
            out.println(style.faint("The first " + shown + " of " + rows.size()
                    + " rows, queues with the most tasks first (--all shows them)"));
        }
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("QUEUE")
                .text("CONFIGURATION")
                .number("TASKS")
                .number("WAIT")
                .number("P90");
        if (all) {
            table.number("MAX");
        }
        table.number("SLOWDOWN").number("SHARE").number("DUE");
        if (all) {
            table.number("APART")
                    .number("PREEMPTED")
                    .number("TIMED OUT")
                    .number("NEVER STARTED")
                    .number("REJECTED");
        }
        for (QueueRow row : rows.subList(0, shown)) {
            QueueFigures queue = row.queue;
            TaskFigures tasks = queue.tasks();
            List<Cell> cells = new ArrayList<>(List.of(
                    Cell.of(queue.path()),
                    Cell.of(row.run.name()),
                    Cell.of(MeasureText.count(tasks.tasks())),
                    span(tasks, DistributionSummary::mean),
                    span(tasks, DistributionSummary::p90)));
            if (all) {
                cells.add(
                        tasks.tasks() == 0
                                ? Cell.of(MeasureText.NONE)
                                : Cell.of(Spans.text(tasks.longestWaitSeconds())));
            }
            cells.add(slowdown(tasks, DistributionSummary::mean));
            cells.add(Cell.of(MeasureText.percent(queue.receivedMean())));
            cells.add(Cell.of(MeasureText.percent(queue.dueMean())));
            if (all) {
                cells.add(Cell.of(MeasureText.percent(queue.area())));
                cells.add(Cell.of(MeasureText.count(tasks.preempted())));
                cells.add(Cell.of(MeasureText.count(tasks.timedOut())));
                cells.add(Cell.of(MeasureText.count(tasks.neverStarted())));
                cells.add(Cell.of(MeasureText.count(tasks.rejected())));
            }
            table.row(cells);
        }
        table.print(out, style, "");
    }

    private void reasons(RunFigures run) {
        if (run.reasons().isEmpty()) {
            return;
        }
        out.println();
        int shown = all ? run.reasons().size() : Math.min(run.reasons().size(), REASONS_MAX);
        out.println(style.warning(run.name() + ": some tasks never started")
                + (shown < run.reasons().size()
                        ? style.faint(
                                " (the first " + shown + " of " + run.reasons().size() + " reasons, --all shows them)")
                        : ""));
        run.reasons()
                .subList(0, shown)
                .forEach(reason -> out.println(
                        "  " + MeasureText.count(reason.tasks()) + " × " + TextWidth.printable(reason.text())));
    }

    private static List<QueueFigures> leaves(RunFigures run) {
        return run.queues().stream().filter(QueueFigures::leaf).toList();
    }

    private Cell name(RunFigures run) {
        return run.kind() == RunFigures.RunKind.CONFIGURATION
                ? Cell.of(run.name())
                : new Cell("(" + run.name() + ")", style::faint);
    }

    private static Cell span(TaskFigures tasks, ToDoubleFunction<DistributionSummary> value) {
        DistributionSummary waiting = tasks.waiting();
        return Cell.of(waiting.count() == 0 ? MeasureText.NONE : Spans.text(value.applyAsDouble(waiting)));
    }

    private static Cell slowdown(TaskFigures tasks, ToDoubleFunction<DistributionSummary> value) {
        DistributionSummary slowdown = tasks.slowdown();
        return Cell.of(slowdown.count() == 0 ? MeasureText.NONE : MeasureText.ratio(value.applyAsDouble(slowdown)));
    }
}
