package dev.sluice.simulator.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares small workloads under six configurations with golden tables. */
class SmallWorkloadsTest {

    private static final Path KEPT = Path.of("src", "test", "resources", "dev", "sluice", "simulator", "regression");
    private static final Path SIMULATE = Trial.EXAMPLES.resolve("simulate");
    private static final Path TRACES = Trial.EXAMPLES.resolve("traces");

    @Test
    @Tag("slow")
    void office_matchesGoldenTable() throws IOException {
        check("office", Trial.of(SIMULATE.resolve("office.yaml"), SIMULATE));
    }

    @Test
    @Tag("slow")
    void grid_matchesGoldenTable() throws IOException {
        check("grid", Trial.of(KEPT.resolve("grid.swf"), TRACES.resolve("lcg"), TRACES));
    }

    @Test
    void parallel_matchesGoldenTable() throws IOException {
        check("parallel", Trial.of(KEPT.resolve("parallel.swf"), TRACES.resolve("nasa"), TRACES));
    }

    @Test
    void clusters_matchGoldenTable() throws IOException {
        check(
                "clusters",
                Trial.of(KEPT.resolve("clusters.csv"), TRACES.resolve("philly"), TRACES)
                        .mappedBy(TRACES.resolve("philly.yaml"))
                        .onNode("{gpu: 16, slots: 16}"));
    }

    private static void check(String name, Trial trial) throws IOException {
        GoldenTable.check(name, RunTable.of(trial.run()));
    }

    @Test
    void configurationsOfTraces_areValid() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(TRACES, 2)) {
            files = all.filter(file -> Trial.NAMES.stream().anyMatch(name -> file.endsWith(name + ".yaml")))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(Trial.NAMES.size());
        for (Path file : files) {
            ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read(file);
            assertThat(reading.report()).as(file.toString()).isEmpty();
            assertThat(reading.warnings()).as(file.toString()).isEmpty();
        }
    }
}
