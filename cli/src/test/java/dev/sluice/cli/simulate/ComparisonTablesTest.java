package dev.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.Style;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.NodeTimeline;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import dev.sluice.simulator.figures.Series;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.TimeAxis;
import dev.sluice.simulator.figures.TimeFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.workload.MalformedLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ComparisonTablesTest {

    private static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");
    private static final Series NO_SERIES = new Series(new TimeAxis(0, 0), List.of());
    private static final DistributionSummary WAITS = new DistributionSummary(3, 60, 60, 120, 180, 180, List.of());

    private static TaskFigures tasks(long tasks, long stops, long neverStarted) {
        DistributionSummary waits = tasks == 0 ? DistributionSummary.EMPTY : WAITS;
        return new TaskFigures(
                1,
                0,
                tasks,
                tasks,
                tasks,
                0,
                stops,
                neverStarted,
                0,
                waits,
                waits,
                180,
                new TreeMap<>(),
                stops,
                0,
                new TreeMap<>());
    }

    private static QueueFigures queue(String path, TaskFigures tasks) {
        return new QueueFigures(path, true, "fifo", tasks, 0.5, 0.25, 0.25, 1, 2, 0, 0, NO_SERIES, NO_SERIES);
    }

    private static RunFigures run(
            RunFigures.RunKind kind, String name, List<QueueFigures> queues, List<String> reasons) {
        return new RunFigures(
                kind,
                BEGIN,
                BEGIN.plusSeconds(3600),
                10,
                tasks(3, 2, reasons.size()),
                new OverallFigures(3600, 3, 0.1, 0.2, 0.3, 0.4, 0.5, 7200, 3600),
                List.of(new ResourceFigures("vcore", 4000, 2.5, NO_SERIES, NO_SERIES, NO_SERIES)),
                queues,
                List.of(),
                List.of(),
                new TimeFigures(NO_SERIES, NO_SERIES),
                new NodeTimeline(List.of()),
                reasons.stream().map(text -> new RunFigures.Reason(text, 1)).toList(),
                new RunVariant(name, ""),
                List.of());
    }

    private static String print(boolean all, RunFigures... runs) {
        WorkloadFigures workload =
                new WorkloadFigures("w", 1, 3, 1, BEGIN, BEGIN, new TreeMap<>(), 1, MalformedLines.NONE);
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        ClusterFigures cluster = ClusterFigures.of("", 1, new TreeMap<>(), new TreeMap<>());
        new ComparisonTables(new Comparison(workload, List.of(runs), cluster), writer, Style.PLAIN, all).print();
        writer.flush();
        return out.toString();
    }

    private static final List<QueueFigures> TWO =
            List.of(queue("root.a", tasks(1, 0, 0)), queue("root.b", tasks(2, 0, 0)));

    @Test
    void fairness_ofBoundOrSingleQueue_isEmpty() {
        RunFigures divided = run(RunFigures.RunKind.CONFIGURATION, "two", TWO, List.of());
        RunFigures one = run(RunFigures.RunKind.CONFIGURATION, "one", TWO.subList(0, 1), List.of());
        RunFigures bound = run(RunFigures.RunKind.RANDOM_ORDER, "lot", TWO, List.of());

        assertThat(print(false, divided, one, bound))
                .containsPattern("two .* 50\\.0 % +2\n")
                .containsPattern("one .* - +2\n")
                .containsPattern("\\(lot\\) .* - +2\n");
        assertThat(print(false, one)).doesNotContain("UNFAIR", "QUEUE", "bounds");
    }

    @Test
    void utilisation_ofNodesWithoutEnd_isNoFigure() {
        RunFigures infinite = run(RunFigures.RunKind.INFINITE_NODES, "infinite", TWO, List.of());
        RunFigures other = run(RunFigures.RunKind.SHORTEST_FIRST, "shortest", TWO, List.of());

        assertThat(print(false, infinite, other))
                .containsPattern("\\(infinite\\) .*60\\.0 +- ")
                .contains("250.0 %");
    }

    @Test
    void columns_ofWhatNeverHappened_areNotThere() {
        RunFigures stopped = run(RunFigures.RunKind.CONFIGURATION, "two", TWO, List.of());

        assertThat(print(false, stopped)).contains("PREEMPTED").doesNotContain("NEVER STARTED", "REJECTED");
        assertThat(print(true, stopped)).contains("PREEMPTED", "NEVER STARTED", "REJECTED", "2.0 h", "1.0 h");
    }

    @Test
    void queues_ofSeveralConfigurations_areGroupedByMostTasks() {
        RunFigures first = run(RunFigures.RunKind.CONFIGURATION, "x", TWO, List.of());
        RunFigures second = run(RunFigures.RunKind.CONFIGURATION, "y", TWO, List.of());

        assertThat(print(false, first, second).lines().filter(line -> line.startsWith("root.")))
                .extracting(line -> line.substring(0, 9))
                .containsExactly("root.b  x", "root.b  y", "root.a  x", "root.a  y");
    }

    @Test
    void queue_withoutTasks_hasNoWaits() {
        List<QueueFigures> queues = List.of(TWO.get(0), queue("root.idle", tasks(0, 0, 0)));

        assertThat(print(false, run(RunFigures.RunKind.CONFIGURATION, "x", queues, List.of())))
                .containsPattern("root\\.idle +x +0 +- +- +- +50\\.0 % +25\\.0 %\n");
    }

    @Test
    void queues_beyondTwenty_areCountedAboveAndShownWithAll() {
        List<QueueFigures> queues = new ArrayList<>();
        for (int i = 10; i < 35; i++) {
            queues.add(queue("root.q" + i, tasks(1, 0, 0)));
        }
        RunFigures run = run(RunFigures.RunKind.CONFIGURATION, "many", queues, List.of());

        assertThat(print(false, run))
                .contains(
                        "The first 20 of 25 rows, queues with the most tasks first (--all shows them)\nQUEUE",
                        "root.q29")
                .doesNotContain("root.q30");
        assertThat(print(true, run)).contains("root.q34").doesNotContain("(--all");
    }

    @Test
    void reasons_beyondThree_areCountedAboveAndHarmless() {
        RunFigures run = run(RunFigures.RunKind.CONFIGURATION, "x", TWO, List.of("r1", "\u001b[2J", "r3", "r4", "r5"));

        assertThat(print(false, run))
                .contains(
                        "x: some tasks never started (the first 3 of 5 reasons, --all shows them)\n  1 × r1\n",
                        "  1 × r3\n")
                .doesNotContain("\u001b");
        assertThat(print(true, run)).contains("1 × r5");
    }
}
