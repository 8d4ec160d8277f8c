package dev.sluice.simulator.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.simulation.Experiment;
import dev.sluice.simulator.simulation.ExperimentListener;
import dev.sluice.simulator.simulation.ExperimentSetup;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadFile;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A workload to simulate under the six configurations.
 *
 * @param workload its file
 * @param mapping describes the columns of a table, or null
 * @param nodes a list of nodes in YAML; null: the nodes of the workload
 * @param timeScale the factor applied to interarrival times
 * @param from excludes earlier submissions, relative to the first one
 * @param to excludes submissions at or after this time, relative to the first one; or null
 * @param stopAfter when to stop after the first submission; null: when all applications have ended
 * @param configurations the folders with the configurations, in order of precedence
 */
record Trial(
        Path workload,
        @Nullable Path mapping,
        @Nullable String nodes,
        double timeScale,
        Duration from,
        @Nullable Duration to,
        @Nullable Duration stopAfter,
        List<Path> configurations) {

    static final Path EXAMPLES = Path.of("..", "examples");

    /** The names of the configurations. */
    static final List<String> NAMES = List.of("fifo", "fair", "stateaware", "load", "usage", "mixture");

    private static final int THREADS = 2;

    Trial {
        configurations = List.copyOf(configurations);
    }

    /** Simulates the workload in a file to its end. */
    static Trial of(Path workload, Path... configurations) {
        return new Trial(workload, null, null, 1, Duration.ZERO, null, null, List.of(configurations));
    }

    Trial mappedBy(Path file) {
        return new Trial(workload, file, nodes, timeScale, from, to, stopAfter, configurations);
    }

    /** Returns the same trial on nodes with this capacity: {@code {vcore: 16}}. */
    Trial onNode(String capacity) {
        return onNodes("nodes: [{name: pool, capacity: " + capacity + "}]");
    }

    Trial onNodes(String list) {
        return new Trial(workload, mapping, list, timeScale, from, to, stopAfter, configurations);
    }

    Trial scaled(double scale) {
        return new Trial(workload, mapping, nodes, scale, from, to, stopAfter, configurations);
    }

    Trial stoppedAfter(Duration duration) {
        return new Trial(workload, mapping, nodes, timeScale, from, to, duration, configurations);
    }

    /** Returns the same trial with only the submissions in this period after the first one. */
    Trial between(Duration start, Duration end) {
        return new Trial(workload, mapping, nodes, timeScale, start, end, stopAfter, configurations);
    }

    /** Runs all configurations in sequence, without bounds. */
    Comparison run() throws IOException {
        Workload all = whole(WorkloadFile.read(workload, mapping));
        WorkloadStatistics statistics = WorkloadStatistics.of(all);
        Workload work = all;
        if (to != null) {
            Instant first = Objects.requireNonNull(statistics.first());
            work = new Window(all, first.plus(from), first.plus(to));
            statistics = WorkloadStatistics.of(work);
        }
        assertThat(statistics.malformed().malformed()).as("broken lines").isZero();
        List<ExperimentSetup.ExperimentVariant> variants = new ArrayList<>();
        for (String name : NAMES) {
            variants.add(new ExperimentSetup.ExperimentVariant(
                    name, whole(QueueConfigurationReader.read(configuration(name)))));
        }
        return Experiment.run(
                new ExperimentSetup(
                        work,
                        statistics,
                        List.of(new ExperimentSetup.ExperimentCluster("", nodes(work))),
                        variants,
                        1,
                        false,
                        timeScale,
                        stopAfter == null
                                ? null
                                : Objects.requireNonNull(statistics.first()).plus(stopAfter),
                        null,
                        0,
                        THREADS),
                ExperimentListener.NONE);
    }

    private List<NodeEntry> nodes(Workload work) {
        return nodes == null ? work.nodes() : whole(NodeListReader.read("nodes", nodes));
    }

    /** Returns the file of a configuration in the first folder that has it. */
    private Path configuration(String name) {
        return configurations.stream()
                .map(folder -> folder.resolve(name + ".yaml"))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    private static <T> T whole(ParseResult<T> reading) {
        assertThat(reading.report()).isEmpty();
        assertThat(reading.warnings()).isEmpty();
        return reading.value();
    }
}
