package dev.sluice.cli.simulate;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What came of simulations, as tables for a terminal. */
public final class ComparisonTables {

    private static final int ROWS_MAX = 20;

    private final Comparison comparison;
    private final PrintWriter out;
    private final Style style;
    private final int rowsMax;

    /**
     * Writes there.
     *
     * @param all whether long tables are shown in full
     */
    public ComparisonTables(Comparison comparison, PrintWriter out, Style style, boolean all) {
        this.comparison = comparison;
        this.out = out;
        this.style = style;
        this.rowsMax = all ? Integer.MAX_VALUE : ROWS_MAX;
    }

    /** Writes all of them. */
    public void print() {
        workload();
        out.println();
        summary();
        out.println();
        sharing();
        List<RunFigures> configurations = comparison.runs().stream()
                .filter(run -> run.kind() == RunFigures.Kind.CONFIGURATION)
                .toList();
        if (configurations.stream().anyMatch(run -> leaves(run).size() > 1)) {
            out.println();
            queues(configurations);
        }
        for (RunFigures run : configurations) {
            reasons(run);
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

    /** A row for each run: how long work waited, how long it all took. */
    private void summary() {
        Set<String> resources = new LinkedHashSet<>();
        for (RunFigures run : comparison.runs()) {
            run.resources().stream().map(ResourceFigures::type).forEach(resources::add);
        }
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("CONFIGURATION")
                .number("WAIT MEAN")
                .number("P50")
                .number("P90")
                .number("P99")
                .number("LONGEST")
                .number("SLOWDOWN MEAN")
                .number("P90")
                .number("MAKESPAN")
                .number("TASKS/H");
        resources.forEach(type -> table.number(type.toUpperCase(Locale.ROOT)));
        for (RunFigures run : comparison.runs()) {
            TaskFigures total = run.total();
            List<Cell> cells = new ArrayList<>();
            cells.add(name(run));
            cells.add(Cell.of(Spans.text(total.waiting().mean())));
            cells.add(Cell.of(Spans.text(total.waiting().p50())));
            cells.add(Cell.of(Spans.text(total.waiting().p90())));
            cells.add(Cell.of(Spans.text(total.waiting().p99())));
            cells.add(Cell.of(Spans.text(total.longestWaitSeconds())));
            cells.add(Cell.of(ratio(total.slowdown().mean())));
            cells.add(Cell.of(ratio(total.slowdown().p90())));
            cells.add(Cell.of(Spans.text(run.overall().makespanSeconds())));
            cells.add(Cell.of(ratio(run.overall().throughputPerHour())));
            Map<String, Double> used = new HashMap<>();
            run.resources().forEach(resource -> used.put(resource.type(), resource.utilisation()));
            resources.forEach(type -> cells.add(Cell.of(percent(used.getOrDefault(type, 0.0)))));
            table.row(cells);
        }
        table.print(out, style, "");
    }

    /** A row for each run: how fairly it shared and what it wasted. */
    private void sharing() {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("CONFIGURATION")
                .number("WRONG QUEUE")
                .number("JAIN QUEUES")
                .number("USERS")
                .number("FRAGMENTED")
                .number("WITHHELD")
                .number("ON LOAN")
                .number("STOPS")
                .number("LOST WORK")
                .number("NEVER STARTED")
                .number("REJECTED");
        for (RunFigures run : comparison.runs()) {
            boolean queues = leaves(run).size() > 1;
            table.row(List.of(
                    name(run),
                    Cell.of(queues ? percent(run.overall().unfairness()) : "-"),
                    Cell.of(queues ? index(run.overall().jainOfQueues()) : "-"),
                    Cell.of(index(run.overall().jainOfUsers())),
                    Cell.of(percent(run.overall().fragmented())),
                    Cell.of(percent(run.overall().withheld())),
                    Cell.of(slotHours(run.overall().loans())),
                    Cell.of(count(run.total().stops())),
                    Cell.of(slotHours(run.overall().lostSeconds())),
                    Cell.of(count(run.total().neverStarted())),
                    Cell.of(count(run.total().rejected()))));
        }
        table.print(out, style, "");
    }

    /** A row for each leaf queue and configuration that has it: those of the most tasks first, as the first configuration has them. */
    private void queues(List<RunFigures> configurations) {
        TextTable table = new TextTable(rowsMax)
                .text("QUEUE")
                .text("CONFIGURATION")
                .number("TASKS")
                .number("WAIT MEAN")
                .number("P90")
                .number("LONGEST")
                .number("SLOWDOWN")
                .number("RECEIVED")
                .number("DUE")
                .number("APART");
        for (RunFigures run : configurations) {
            List<QueueFigures> leaves = new ArrayList<>(leaves(run));
            leaves.sort((a, b) -> {
                int order = Long.compare(b.tasks().tasks(), a.tasks().tasks());
                return order != 0 ? order : a.path().compareTo(b.path());
            });
            for (QueueFigures queue : leaves) {
                table.row(List.of(
                        Cell.of(queue.path()),
                        Cell.of(run.name()),
                        Cell.of(count(queue.tasks().tasks())),
                        Cell.of(Spans.text(queue.tasks().waiting().mean())),
                        Cell.of(Spans.text(queue.tasks().waiting().p90())),
                        Cell.of(Spans.text(queue.tasks().longestWaitSeconds())),
                        Cell.of(ratio(queue.tasks().slowdown().mean())),
                        Cell.of(percent(queue.receivedMean())),
                        Cell.of(percent(queue.dueMean())),
                        Cell.of(percent(queue.area()))));
            }
        }
        table.print(out, style, "");
    }

    private void reasons(RunFigures run) {
        if (run.reasons().isEmpty()) {
            return;
        }
        out.println();
        out.println(style.warning(run.name() + ": some work did not start"));
        for (RunFigures.Reason reason : run.reasons()) {
            out.println("  " + count(reason.tasks()) + " × " + reason.text());
        }
    }

    private static List<QueueFigures> leaves(RunFigures run) {
        return run.queues().stream().filter(QueueFigures::leaf).toList();
    }

    private Cell name(RunFigures run) {
        return run.kind() == RunFigures.Kind.CONFIGURATION
                ? Cell.of(run.name())
                : new Cell("(" + run.name() + ")", style::faint);
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
