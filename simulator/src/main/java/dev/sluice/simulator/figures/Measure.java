package dev.sluice.simulator.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * A figure of a whole run by which runs are compared.
 *
 * @param name the unique name, such as {@code p90 wait}
 * @param group the heading above the columns of its group
 * @param label the heading of its column
 * @param unit the unit of its values
 * @param better which values are better
 * @param figure returns the figure of a single simulation; NaN if it has none
 */
public record Measure(
        String name, String group, String label, Unit unit, Better better, ToDoubleFunction<RunFigures> figure) {

    private static final String WAITING = "Waiting time";
    private static final String SLOWDOWN = "Bounded slowdown";
    private static final String WHOLE = "Whole run";
    private static final String FREE = "Free capacity";
    private static final String FAIRNESS = "Fairness";
    private static final String TASKS = "Tasks";
    private static final String GANGS = "Gang waits";
    private static final String UTILISATION = " utilisation";

    /** The unit of a measure. */
    public enum Unit {
        /** Seconds. */
        DURATION,
        /** A ratio of at least 0. */
        RATIO,
        /** A fraction from 0 to 1. */
        SHARE,
        /** Jain's index from 0 to 1. */
        INDEX,
        /** A number of tasks, runs or applications. */
        COUNT,
        /** Slots × seconds. */
        SLOT_TIME
    }

    /** Which of two values is better. */
    public enum Better {
        LOWER,
        HIGHER,
        NEITHER
    }

    /** Returns all measures of these runs: one utilisation for each resource of any of them, by name. */
    public static List<Measure> of(List<RunFigures> runs) {
        List<Measure> all = new ArrayList<>(List.of(
                waiting("mean", tasks -> tasks.waiting().mean()),
                waiting("p50", tasks -> tasks.waiting().p50()),
                waiting("p90", tasks -> tasks.waiting().p90()),
                waiting("p99", tasks -> tasks.waiting().p99()),
                lower(
                        "max wait",
                        WAITING,
                        "max",
                        Unit.DURATION,
                        run -> run.total().longestWaitSeconds()),
                slowdown("mean", tasks -> tasks.slowdown().mean()),
                slowdown("p90", tasks -> tasks.slowdown().p90()),
                slowdown("p99", tasks -> tasks.slowdown().p99()),
                lower(
                        "makespan",
                        WHOLE,
                        "makespan",
                        Unit.DURATION,
                        run -> run.overall().makespanSeconds()),
                higher(
                        "throughput",
                        WHOLE,
                        "tasks/h",
                        Unit.RATIO,
                        run -> run.overall().throughputPerHour())));
        Set<String> types = new TreeSet<>();
        runs.forEach(run -> run.resources().forEach(resource -> types.add(resource.type())));
        types.forEach(type -> all.add(utilisation(type)));
        all.addAll(List.of(
                lower(
                        "fragmented",
                        FREE,
                        "fragmented",
                        Unit.SHARE,
                        run -> run.overall().fragmented()),
                lower(
                        "withheld",
                        FREE,
                        "withheld",
                        Unit.SHARE,
                        run -> run.overall().withheld()),
                lower(
                        "unfairness",
                        FAIRNESS,
                        "unfairness",
                        Unit.SHARE,
                        ofDivided(run -> run.overall().unfairness())),
                higher(
                        "queue Jain index",
                        FAIRNESS,
                        "Jain, queues",
                        Unit.INDEX,
                        ofDivided(run -> run.overall().queueJainIndex())),
                higher(
                        "user Jain index",
                        FAIRNESS,
                        "Jain, users",
                        Unit.INDEX,
                        run -> run.overall().userJainIndex()),
                new Measure(
                        "loans",
                        FAIRNESS,
                        "loans",
                        Unit.SLOT_TIME,
                        Better.NEITHER,
                        run -> run.overall().loans()),
                count("preempted", TASKS, TaskFigures::preempted),
                count("timed out", TASKS, TaskFigures::timedOut),
                lower(
                        "lost work",
                        TASKS,
                        "lost work",
                        Unit.SLOT_TIME,
                        run -> run.overall().lostSeconds()),
                count("never started", TASKS, TaskFigures::neverStarted),
                count("rejected", "Applications", TaskFigures::rejected)));
        if (runs.stream().anyMatch(run -> run.overall().gangs().any())) {
            all.addAll(List.of(
                    gangWait("mean", waits -> waits.mean()),
                    gangWait("p50", waits -> waits.p50()),
                    gangWait("p90", waits -> waits.p90()),
                    lower(
                            "gang timeouts",
                            GANGS,
                            "timed out",
                            Unit.COUNT,
                            run -> run.overall().gangs().timedOut())));
        }
        return all;
    }

    /** Returns the measure of the utilisation of a resource; infinite nodes have none. */
    public static Measure utilisation(String type) {
        return higher(
                type + UTILISATION,
                "Utilisation",
                type,
                Unit.SHARE,
                run -> run.resources().stream()
                        .filter(resource ->
                                resource.type().equals(type) && run.kind() != RunFigures.RunKind.INFINITE_NODES)
                        .mapToDouble(ResourceFigures::utilisation)
                        .findFirst()
                        .orElse(Double.NaN));
    }

    /** Whether this is the utilisation of a resource, which is the label of the measure. */
    public boolean isUtilisation() {
        return name.endsWith(UTILISATION);
    }

    /** Returns the value of a run, the mean over its repetitions if there are several; NaN if it has none. */
    public double value(RunFigures run) {
        return spread(run).mean();
    }

    /** Returns the spread of the value over the repetitions of a run. */
    public MeasureSpread spread(RunFigures run) {
        for (MeasureSpread spread : run.spread()) {
            if (spread.measure().equals(name)) {
                return spread;
            }
        }
        double value = figure.applyAsDouble(run);
        return new MeasureSpread(name, value, value, value);
    }

    /** Restricts a figure to configurations with several leaf queues; other runs, including all bounds, have none. */
    private static ToDoubleFunction<RunFigures> ofDivided(ToDoubleFunction<RunFigures> value) {
        return run -> run.isDivided() ? value.applyAsDouble(run) : Double.NaN;
    }

    private static Measure waiting(String label, ToDoubleFunction<TaskFigures> value) {
        return lower(
                label + " wait",
                WAITING,
                label,
                Unit.DURATION,
                run -> run.total().waiting().count() == 0 ? Double.NaN : value.applyAsDouble(run.total()));
    }

    private static Measure gangWait(String label, ToDoubleFunction<DistributionSummary> value) {
        return lower(
                label + " gang wait",
                GANGS,
                label,
                Unit.DURATION,
                run -> run.overall().gangs().started() == 0
                        ? Double.NaN
                        : value.applyAsDouble(run.overall().gangs().waiting()));
    }

    private static Measure slowdown(String label, ToDoubleFunction<TaskFigures> value) {
        return lower(
                label + " slowdown",
                SLOWDOWN,
                label,
                Unit.RATIO,
                run -> run.total().slowdown().count() == 0 ? Double.NaN : value.applyAsDouble(run.total()));
    }

    private static Measure count(String name, String group, ToDoubleFunction<TaskFigures> value) {
        return lower(name, group, name, Unit.COUNT, run -> value.applyAsDouble(run.total()));
    }

    private static Measure lower(
            String name, String group, String label, Unit unit, ToDoubleFunction<RunFigures> figure) {
        return new Measure(name, group, label, unit, Better.LOWER, figure);
    }

    private static Measure higher(
            String name, String group, String label, Unit unit, ToDoubleFunction<RunFigures> figure) {
        return new Measure(name, group, label, unit, Better.HIGHER, figure);
    }
}
