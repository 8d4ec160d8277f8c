package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.TaskFigures;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One column of the summary.
 *
 * @param group the heading above its group of columns
 * @param label the heading of the column
 * @param better which values are better
 * @param value returns the figure of a run; NaN if the run has none
 * @param text formats the figure for people
 */
record SummaryColumn(
        String group, String label, Better better, ToDoubleFunction<RunFigures> value, Function<Double, String> text) {

    private static final String UTILISATION = "Utilisation";

    /** Which of two values is better. */
    enum Better {
        LOWER,
        HIGHER,
        NEITHER
    }

    /** Returns all columns; one for each resource that any run has. */
    static List<SummaryColumn> of(Comparison comparison) {
        List<SummaryColumn> columns = new ArrayList<>();
        String waiting = "Waiting time";
        columns.add(waiting(waiting, "mean", tasks -> tasks.waiting().mean()));
        columns.add(waiting(waiting, "p50", tasks -> tasks.waiting().p50()));
        columns.add(waiting(waiting, "p90", tasks -> tasks.waiting().p90()));
        columns.add(waiting(waiting, "p99", tasks -> tasks.waiting().p99()));
        columns.add(
                column(waiting, "max", Better.LOWER, run -> run.total().longestWaitSeconds(), FigureText::duration));
        String slowdown = "Bounded slowdown";
        columns.add(slowdown(slowdown, "mean", tasks -> tasks.slowdown().mean()));
        columns.add(slowdown(slowdown, "p90", tasks -> tasks.slowdown().p90()));
        columns.add(slowdown(slowdown, "p99", tasks -> tasks.slowdown().p99()));
        String whole = "Whole run";
        columns.add(
                column(whole, "makespan", Better.LOWER, run -> run.overall().makespanSeconds(), FigureText::duration));
        columns.add(
                column(whole, "tasks/h", Better.HIGHER, run -> run.overall().throughputPerHour(), FigureText::number));
        Set<String> types = new LinkedHashSet<>();
        comparison.runs().forEach(run -> run.resources().forEach(resource -> types.add(resource.type())));
        for (String type : types) {
            columns.add(column(UTILISATION, type, Better.HIGHER, run -> utilisation(run, type), FigureText::share));
        }
        String free = "Free capacity";
        columns.add(
                column(free, "fragmented", Better.LOWER, run -> run.overall().fragmented(), FigureText::share));
        columns.add(column(free, "withheld", Better.LOWER, run -> run.overall().withheld(), FigureText::share));
        String fairness = "Fairness";
        columns.add(column(
                fairness,
                "unfairness",
                Better.LOWER,
                ofDivided(run -> run.overall().unfairness()),
                FigureText::share));
        columns.add(column(
                fairness,
                "Jain, queues",
                Better.HIGHER,
                ofDivided(run -> run.overall().queueJainIndex()),
                FigureText::index));
        columns.add(column(
                fairness, "Jain, users", Better.HIGHER, run -> run.overall().userJainIndex(), FigureText::index));
        columns.add(
                column(fairness, "loans", Better.NEITHER, run -> run.overall().loans(), FigureText::slotTime));
        String tasks = "Tasks";
        columns.add(count(tasks, "preempted", TaskFigures::preempted));
        columns.add(count(tasks, "timed out", TaskFigures::timedOut));
        columns.add(
                column(tasks, "lost work", Better.LOWER, run -> run.overall().lostSeconds(), FigureText::slotTime));
        columns.add(count(tasks, "never started", TaskFigures::neverStarted));
        columns.add(count("Applications", "rejected", TaskFigures::rejected));
        return columns;
    }

    /**
     * Returns the most important columns, and those of failures that occurred in any run: few enough for a common
     * screen.
     */
    static List<SummaryColumn> mostImportantOf(Comparison comparison) {
        Set<String> always = Set.of(
                "Waiting time mean",
                "Waiting time p90",
                "Waiting time max",
                "Bounded slowdown mean",
                "Bounded slowdown p90",
                "Whole run makespan",
                "Fairness unfairness",
                "Fairness Jain, users");
        Set<String> unlessNone =
                Set.of("Tasks preempted", "Tasks timed out", "Tasks never started", "Applications rejected");
        return of(comparison).stream()
                .filter(column -> {
                    String name = column.group + " " + column.label;
                    return always.contains(name)
                            || column.group.equals(UTILISATION)
                            || (unlessNone.contains(name)
                                    && comparison.runs().stream().anyMatch(run -> column.value.applyAsDouble(run) > 0));
                })
                .toList();
    }

    /** Restricts a figure to configurations with several leaf queues; other runs, including all bounds, have none. */
    private static ToDoubleFunction<RunFigures> ofDivided(ToDoubleFunction<RunFigures> value) {
        return run -> run.kind() == RunFigures.RunKind.CONFIGURATION
                        && run.queues().stream().filter(QueueFigures::leaf).count() > 1
                ? value.applyAsDouble(run)
                : Double.NaN;
    }

    private static double utilisation(RunFigures run, String type) {
        return run.resources().stream()
                .filter(resource -> resource.type().equals(type) && run.kind() != RunFigures.RunKind.INFINITE_NODES)
                .mapToDouble(ResourceFigures::utilisation)
                .findFirst()
                .orElse(Double.NaN);
    }

    private static SummaryColumn waiting(String group, String label, ToDoubleFunction<TaskFigures> value) {
        return column(
                group,
                label,
                Better.LOWER,
                run -> run.total().waiting().count() == 0 ? Double.NaN : value.applyAsDouble(run.total()),
                FigureText::duration);
    }

    private static SummaryColumn slowdown(String group, String label, ToDoubleFunction<TaskFigures> value) {
        return column(
                group,
                label,
                Better.LOWER,
                run -> run.total().slowdown().count() == 0 ? Double.NaN : value.applyAsDouble(run.total()),
                FigureText::number);
    }

    private static SummaryColumn count(String group, String label, ToDoubleFunction<TaskFigures> value) {
        return column(
                group,
                label,
                Better.LOWER,
                run -> value.applyAsDouble(run.total()),
                count -> FigureText.count(count.longValue()));
    }

    private static SummaryColumn column(
            String group,
            String label,
            Better better,
            ToDoubleFunction<RunFigures> value,
            Function<Double, String> text) {
        return new SummaryColumn(group, label, better, value, text);
    }

    /** Returns the formatted figure of a run. */
    String textOf(RunFigures run) {
        return text.apply(value.applyAsDouble(run));
    }
}
