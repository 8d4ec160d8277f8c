package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Job files sent to a server: their warnings, and the partitions of their applications. */
class ServerSubmissionReaderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final PartitionConfiguration FIRST = PartitionConfiguration.simplest();
    private static final PartitionConfiguration OTHER = new PartitionConfiguration(
            "other",
            FIRST.root(),
            FIRST.placementRules(),
            FIRST.nodeSortPolicy(),
            FIRST.resourceWeights(),
            FIRST.preemption());

    private static ParseResult<List<ApplicationEntry>> read(String text, String defaultPartition) {
        return ServerSubmissionReader.file("jobs.yaml", text, NOW, List.of(FIRST, OTHER), defaultPartition)
                .map(SubmissionFile::applications);
    }

    @Test
    void file_empty_isRejected() {
        String wanted = "jobs.yaml:1:1: nothing to submit: add tasks: with a list of tasks";
        for (String nothing : List.of("{}", "seed: 1")) {
            assertThat(read(nothing, "default").problems())
                    .extracting(Problem::toString)
                    .containsExactly(wanted);
        }
        assertThat(read("applications: []", "default").problems())
                .extracting(Problem::toString)
                .containsExactly("jobs.yaml:1:15: nothing to submit: this list is empty");
    }

    @Test
    void file_withServerSettings_isReadWithWarnings() {
        ParseResult<List<ApplicationEntry>> reading = read("seed: 1\nid: a\ntasks: [{id: t}]\nnodes: []\n", "default");

        assertThat(reading.value()).hasSize(1);
        assertThat(reading.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "jobs.yaml:1:7: seed has no effect here: the server has its own",
                        "jobs.yaml:4:8: nodes has no effect here: the server has its own");
    }

    @Test
    void application_withoutPartition_getsDefaultPartition() {
        String file = """
                applications:
                - {id: a, tasks: [{id: t}]}
                - {id: b, partition: Default, tasks: [{id: t}]}
                - {id: c, partition: other, tasks: [{id: t}]}
                """;

        assertThat(read(file, "other").value())
                .extracting(ApplicationEntry::partition)
                .containsExactly("other", "default", "other");
        assertThat(read(file, "default").value())
                .extracting(ApplicationEntry::partition)
                .containsExactly("default", "default", "other");
    }
}
