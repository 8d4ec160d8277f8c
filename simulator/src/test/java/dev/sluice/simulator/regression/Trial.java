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
 * A workload that the six configurations are tried on.
 *
 * @param workload its file
 * @param mapping what its columns mean, or null
 * @param nodes a list of nodes in YAML; null: what the workload tells of
 * @param timeScale what the times between submissions are multiplied by
 * @param from what was submitted sooner after the first submission is left out
 * @param to what was submitted so long after it or later is left out; or null
 * @param stopAfter how long after the first submission it stops, or null when all has ended
 * @param configurations folders that have the configurations, the first one first
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

    /** What every workload is tried with. */
    static final List<String> NAMES = List.of("fifo", "fair", "stateaware", "load", "usage", "mixture");

    private static final int THREADS = 2;

    Trial {
        configurations = List.copyOf(configurations);
    }

    /** The workload in a file, tried to its end. */
    static Trial of(Path workload, Path... configurations) {
        return new Trial(workload, null, null, 1, Duration.ZERO, null, null, List.of(configurations));
    }

    Trial mappedBy(Path file) {
        return new Trial(workload, file, nodes, timeScale, from, to, stopAfter, configurations);
    }

    /** On nodes like this: {@code {vcore: 16}}. */
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

    /** Only what was submitted so long after the first submission. */
    Trial between(Duration start, Duration end) {
        return new Trial(workload, mapping, nodes, timeScale, start, end, stopAfter, configurations);
    }

    /** Runs it with one configuration after the other, without bounds. */
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
                        nodes(work),
                        variants,
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

    /** The file of a configuration: in the first folder that has it. */
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
