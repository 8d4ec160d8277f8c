package dev.sluice.cli.simulate;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.report.Rejections;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Prints the comparison of simulations as tables. */
public final class ComparisonTables {

    private static final int ROWS_MAX = 20;
    private static final int REASONS_MAX = 3;

    /** Placeholder of a missing figure. */
    private static final String NONE = "-";

    private static final List<String> NOTE = List.of(
            "WAIT and SLOWDOWN are means. --all shows every figure, --report FILE writes an",
            "HTML report with plots.");

    private static final List<String> NOTE_DIVIDED = List.of(
            "WAIT and SLOWDOWN are means; UNFAIR is the share of nodes that went to the",
            "wrong queues. --all shows every figure, --report FILE writes an HTML report.");

    private final Comparison comparison;
    private final PrintWriter out;
    private final Style style;
    private final boolean all;

    /** @param all whether to print all figures and all rows */
    public ComparisonTables(Comparison comparison, PrintWriter out, Style style, boolean all) {
        this.comparison = comparison;
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
        List<RunFigures> configurations = comparison.runs().stream()
                .filter(run -> run.kind() == RunFigures.RunKind.CONFIGURATION)
                .toList();
        if (configurations.stream().anyMatch(ComparisonTables::isDivided)) {
            out.println();
            queues(configurations);
        }
        notes();
        for (RunFigures run : configurations) {
            reasons(run);
        }
    }

    private void notes() {
        out.println();
        if (!all) {
            for (String line : comparison.runs().stream().anyMatch(ComparisonTables::isDivided) ? NOTE_DIVIDED : NOTE) {
                out.println(style.faint(line));
            }
        }
        if (comparison.runs().stream().anyMatch(run -> run.kind() != RunFigures.RunKind.CONFIGURATION)) {
            out.println(style.faint("Rows in brackets are bounds for comparison."));
        }
    }

    private void workload() {
        WorkloadFigures workload = comparison.workload();
        out.println(style.strong(workload.name())
                + String.format(
                        Locale.ROOT,
                        ": %,d applications, %,d tasks, %,d users, submitted within %s, on %,d %s",
                        workload.applications(),
                        workload.tasks(),
                        workload.users(),
                        Spans.text(seconds(workload)),
                        workload.nodes(),
                        workload.nodes() == 1 ? "node" : "nodes"));
    }

    private static double seconds(WorkloadFigures workload) {
        return workload.last().toEpochMilli() / 1000.0 - workload.first().toEpochMilli() / 1000.0;
    }

    /** Prints a row for each run with the most important figures. */
    private void summary() {
        List<String> types = types();
        List<RunFigures> runs = comparison.runs();
        List<CountColumn> counts = Stream.of(
                        new CountColumn("PREEMPTED", TaskFigures::preempted),
                        new CountColumn("TIMED OUT", TaskFigures::timedOut),
                        new CountColumn("NEVER STARTED", TaskFigures::neverStarted),
                        new CountColumn("REJECTED", TaskFigures::rejected))
                .filter(counted -> runs.stream().anyMatch(run -> counted.of.applyAsLong(run.total()) > 0))
                .toList();
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("CONFIGURATION")
                .number("WAIT")
                .number("P90")
                .number("MAX")
                .number("SLOWDOWN");
        types.forEach(type -> table.number(type.toUpperCase(Locale.ROOT)));
        boolean divided = runs.stream().anyMatch(ComparisonTables::isDivided);
        if (divided) {
            table.number("UNFAIR");
        }
        counts.forEach(counted -> table.number(counted.title));
        for (RunFigures run : runs) {
            TaskFigures total = run.total();
            List<Cell> cells = new ArrayList<>();
            cells.add(name(run));
            cells.add(span(total, DistributionSummary::mean));
            cells.add(span(total, DistributionSummary::p90));
            cells.add(Cell.of(Spans.text(total.longestWaitSeconds())));
            cells.add(slowdown(total, DistributionSummary::mean));
            types.forEach(type -> cells.add(used(run, type)));
            if (divided) {
                cells.add(Cell.of(isDivided(run) ? percent(run.overall().unfairness()) : NONE));
            }
            counts.forEach(counted -> cells.add(Cell.of(count(counted.of.applyAsLong(total)))));
            table.row(cells);
        }
        table.print(out, style, "");
    }

    /** A column of task counts, shown if it is nonzero in any run. */
    private record CountColumn(String title, ToLongFunction<TaskFigures> of) {}

    private List<String> types() {
        return comparison.runs().stream()
                .flatMap(run -> run.resources().stream())
                .map(ResourceFigures::type)
                .distinct()
                .toList();
    }

    /** Returns the utilization; none for unlimited nodes, which have no capacity to compare with. */
    private static Cell used(RunFigures run, String type) {
        return run.resources().stream()
                .filter(resource -> resource.type().equals(type) && run.kind() != RunFigures.RunKind.INFINITE_NODES)
                .findFirst()
                .map(resource -> Cell.of(percent(resource.utilisation())))
                .orElse(Cell.of(NONE));
    }

    /** Prints a row for each run with waiting times and makespan. */
    private void waiting() {
        List<String> types = types();
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("CONFIGURATION")
                .number("WAIT MEAN")
                .number("P50")
                .number("P90")
                .number("P99")
                .number("MAX")
                .number("SLOWDOWN MEAN")
                .number("P90")
                .number("P99")
                .number("MAKESPAN")
                .number("TASKS/H");
        types.forEach(type -> table.number(type.toUpperCase(Locale.ROOT)));
        for (RunFigures run : comparison.runs()) {
            TaskFigures total = run.total();
            List<Cell> cells = new ArrayList<>();
            cells.add(name(run));
            cells.add(span(total, DistributionSummary::mean));
            cells.add(span(total, DistributionSummary::p50));
            cells.add(span(total, DistributionSummary::p90));
            cells.add(span(total, DistributionSummary::p99));
            cells.add(Cell.of(Spans.text(total.longestWaitSeconds())));
            cells.add(slowdown(total, DistributionSummary::mean));
            cells.add(slowdown(total, DistributionSummary::p90));
            cells.add(slowdown(total, DistributionSummary::p99));
            cells.add(Cell.of(Spans.text(run.overall().makespanSeconds())));
            cells.add(Cell.of(ratio(run.overall().throughputPerHour())));
            types.forEach(type -> cells.add(used(run, type)));
            table.row(cells);
        }
        table.print(out, style, "");
    }

    /** Prints a row for each run with fairness and waste. */
    private void sharing() {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("CONFIGURATION")
                .number("UNFAIR")
                .number("JAIN QUEUES")
                .number("USERS")
                .number("FRAGMENTED")
                .number("WITHHELD")
                .number("ON LOAN")
                .number("PREEMPTED")
                .number("TIMED OUT")
                .number("LOST WORK")
                .number("NEVER STARTED")
                .number("REJECTED");
        for (RunFigures run : comparison.runs()) {
            boolean divided = isDivided(run);
            table.row(List.of(
                    name(run),
                    Cell.of(divided ? percent(run.overall().unfairness()) : NONE),
                    Cell.of(divided ? index(run.overall().queueJainIndex()) : NONE),
                    Cell.of(index(run.overall().userJainIndex())),
                    Cell.of(percent(run.overall().fragmented())),
                    Cell.of(percent(run.overall().withheld())),
                    Cell.of(slotHours(run.overall().loans())),
                    Cell.of(count(run.total().preempted())),
                    Cell.of(count(run.total().timedOut())),
                    Cell.of(slotHours(run.overall().lostSeconds())),
                    Cell.of(count(run.total().neverStarted())),
                    Cell.of(count(run.total().rejected()))));
        }
        table.print(out, style, "");
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
        TextTable table = new TextTable(all ? Integer.MAX_VALUE : ROWS_MAX)
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
        for (QueueRow row : rows) {
            QueueFigures queue = row.queue;
            TaskFigures tasks = queue.tasks();
            List<Cell> cells = new ArrayList<>(List.of(
                    Cell.of(queue.path()),
                    Cell.of(row.run.name()),
                    Cell.of(count(tasks.tasks())),
                    span(tasks, DistributionSummary::mean),
                    span(tasks, DistributionSummary::p90)));
            if (all) {
                cells.add(tasks.tasks() == 0 ? Cell.of(NONE) : Cell.of(Spans.text(tasks.longestWaitSeconds())));
            }
            cells.add(slowdown(tasks, DistributionSummary::mean));
            cells.add(Cell.of(percent(queue.receivedMean())));
            cells.add(Cell.of(percent(queue.dueMean())));
            if (all) {
                cells.add(Cell.of(percent(queue.area())));
                cells.add(Cell.of(count(tasks.preempted())));
                cells.add(Cell.of(count(tasks.timedOut())));
                cells.add(Cell.of(count(tasks.neverStarted())));
                cells.add(Cell.of(count(tasks.rejected())));
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
        out.println(style.warning(run.name() + ": some tasks never started"));
        run.reasons().stream()
                .limit(all ? Integer.MAX_VALUE : REASONS_MAX)
                .forEach(reason ->
                        out.println("  " + count(reason.tasks()) + " × " + TextWidth.printable(reason.text())));
        if (!all && run.reasons().size() > REASONS_MAX) {
            int more = run.reasons().size() - REASONS_MAX;
            out.println("  " + style.faint("… and " + more + " more (--all shows them)"));
        }
    }

    /** Whether there are several leaf queues; fairness among queues is undefined with one. */
    private static boolean isDivided(RunFigures run) {
        return run.kind() == RunFigures.RunKind.CONFIGURATION && leaves(run).size() > 1;
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
        return Cell.of(waiting.count() == 0 ? NONE : Spans.text(value.applyAsDouble(waiting)));
    }

    private static Cell slowdown(TaskFigures tasks, ToDoubleFunction<DistributionSummary> value) {
        DistributionSummary slowdown = tasks.slowdown();
        return Cell.of(slowdown.count() == 0 ? NONE : ratio(value.applyAsDouble(slowdown)));
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%,.1f" : "%,.0f", value);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }

    private static String index(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String slotHours(double slotSeconds) {
        return slotSeconds == 0 ? "0" : String.format(Locale.ROOT, "%,.1f h", slotSeconds / 3600);
    }
}
