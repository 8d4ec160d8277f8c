package dev.sluice.simulator.report;

import dev.sluice.config.problem.Problem;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.NodeTimeline;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import dev.sluice.simulator.figures.Series;
import dev.sluice.simulator.figures.SizeFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.TimeAxis;
import dev.sluice.simulator.figures.TimeFigures;
import dev.sluice.simulator.figures.UserFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.workload.MalformedLines;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** Figures with malicious texts and numbers. */
final class HostileFigures {

    private static final Instant BEGIN = Instant.EPOCH;

    private HostileFigures() {}

    /** Puts one text wherever a text can be. */
    static Comparison everywhere(String text) {
        return comparison(text, 1);
    }

    /** Puts one number wherever a fraction can be. */
    static Comparison numbers(double value) {
        return comparison("a", value);
    }

    private static Comparison comparison(String text, double number) {
        Series series = new Series(new TimeAxis(number, 2), List.of(number, number));
        DistributionSummary distribution = new DistributionSummary(
                1,
                number,
                number,
                number,
                number,
                number,
                DistributionSummary.PERCENTILES.stream()
                        .map(percentile -> number)
                        .toList());
        TreeMap<String, Double> amounts = new TreeMap<>();
        amounts.put(text, number);
        TreeMap<String, Long> capacity = new TreeMap<>();
        capacity.put(text, 1L);
        TaskFigures tasks = new TaskFigures(
                1, 1, 1, 1, 1, 1, 1, 1, 1, distribution, distribution, number, amounts, 1, 1, new TreeMap<>());
        RunFigures run = new RunFigures(
                RunFigures.RunKind.CONFIGURATION,
                BEGIN,
                BEGIN,
                1,
                tasks,
                new OverallFigures(number, number, number, number, number, number, number, number, number),
                List.of(new ResourceFigures(text, 1, number, series, series, series)),
                List.of(new QueueFigures(
                        text, true, text, tasks, number, number, number, number, 1, number, number, series, series)),
                List.of(new UserFigures(text, tasks)),
                List.of(new SizeFigures(text, 1, 1, 1, distribution, distribution)),
                new TimeFigures(series, series),
                new NodeTimeline(List.of(new NodeTimeline.Row(text, text, 1, series))),
                List.of(new RunFigures.Reason(text, 1)),
                new RunVariant(text, text),
                List.of(new MeasureSpread(text, number, number, number)));
        WorkloadFigures workload = new WorkloadFigures(
                text,
                1,
                1,
                1,
                BEGIN,
                BEGIN,
                amounts,
                number,
                new MalformedLines(1, 1, List.of(new Problem(text, 1, 1, text, text))));
        SmallestCluster enough = new SmallestCluster(
                text,
                List.of(text),
                text,
                text,
                1,
                List.of(new SmallestCluster.SizeCheck(
                        text, true, List.of(new MeasureSpread(text, number, number, number)))));
        return new Comparison(
                workload,
                List.of(run),
                List.of(new ClusterFigures(text, 1, capacity, List.of(text))),
                2,
                List.of(enough));
    }
}
