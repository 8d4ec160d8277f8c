package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Job files sent to a server: their warnings, and the partitions of their applications. */
class SubmissionReaderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final PartitionConfiguration FIRST = PartitionConfiguration.simplest();
    private static final PartitionConfiguration OTHER = new PartitionConfiguration(
            "other",
            FIRST.root(),
            FIRST.placementRules(),
            FIRST.nodeSortPolicy(),
            FIRST.resourceWeights(),
            FIRST.preemption());

    private static final SubmissionReader READER = new SubmissionReader(List.of(FIRST, OTHER));

    private static ParseResult<List<ApplicationEntry>> read(String text, String defaultPartition) {
        return READER.file("jobs.yaml", text, defaultPartition, NOW, SubmissionOrigin.UNKNOWN)
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

    @Test
    void application_ofOtherPartition_isRejected() {
        assertThat(application("{\"id\": \"a\",\n \"partition\": \"default\"}", "other")
                        .problems())
                .extracting(Problem::toString)
                .containsExactly("body:2:15: this is a submission to partition other: remove partition, or submit to"
                        + " default");
        assertThat(application("{\"id\": \"a\", \"partition\": \"other\"}", "other")
                        .isOk())
                .isTrue();
    }

    /** The queues of a partition that is not the default one count. */
    @Test
    void application_inPartition_mayUseItsQueuesOnly() {
        String text = "{\"queue\": \"root.a\"}";

        assertThat(application(text, "gpu").value().spec().queue()).isEqualTo("root.a");
        assertThat(application(text, "default").problems())
                .extracting(Problem::toString)
                .containsExactly("body:1:11: unknown queue \"root.a\": did you mean \"root\"?");
    }

    private static ParseResult<ApplicationEntry> application(String text, String partition) {
        PartitionConfiguration gpu =
                PartitionConfiguration.of("gpu", QueueConfiguration.parent("root", QueueConfiguration.leaf("a")));
        return new SubmissionReader(List.of(FIRST, OTHER, gpu)).application("body", text, partition, "generated", NOW);
    }

    /** Whether there is an application of this id is not for the reader to say. */
    @Test
    void tasks_ofImpossibleId_areRead() {
        String text = "{\"tasks\": [{\"id\": \"t\"}]}";

        assertThat(READER.tasks("body", text, "default", "x".repeat(300), NOW).value())
                .hasSize(1);
    }

    @Test
    void submissions_similar_shareValues() {
        TaskKind first = kindOf("1");
        TaskKind second = kindOf("2");

        assertThat(second.resources()).isSameAs(first.resources());
        assertThat(second.attempts()).isSameAs(first.attempts());
        assertThat(words(second).get(0)).isSameAs(words(first).get(0));
        assertThat(words(second)).containsExactly("work", "2");
    }

    private static List<String> words(TaskKind kind) {
        return Objects.requireNonNull(kind.command()).words();
    }

    private static TaskKind kindOf(String number) {
        String text = "{\"tasks\": [{\"id\": \"t\", \"resources\": {\"vcore\": \"500m\", \"memory\": \"1Gi\"},"
                + " \"command\": [\"work\", \"" + number + "\"]}]}";
        return READER.application("body", text, "default", "a" + number, NOW)
                .value()
                .tasks()
                .get(0)
                .spec()
                .kind();
    }

    /** Amounts are shared only if they are written alike, and never in place of a problem. */
    @Test
    void resources_writtenDifferently_areReadEach() {
        List<String> written = List.of(
                "{\"vcore\": 1}",
                "{\"vcore\": \"1\"}",
                "{\"vcore\": 2}",
                "{\"memory\": 1}",
                "{\"vcore\": 1, \"memory\": 1}",
                "{\"vcore\": -1}",
                "{\"vcore\": {}}",
                "{\"vcore\": null}",
                "{}");
        for (int round = 0; round < 2; round++) {
            assertThat(written.stream().map(SubmissionReaderTest::resources))
                    .containsExactly(
                            "1000 null", "1000 null", "2000 null", "null 1", "1000 1", "1", "1", "1", "null null");
        }
    }

    /** Returns the amounts of vcore and memory, or the number of problems. */
    private static String resources(String written) {
        ParseResult<List<TaskSpec>> reading = READER.tasks(
                "body", "{\"tasks\": [{\"id\": \"t\", \"resources\": " + written + "}]}", "default", "a", NOW);
        if (!reading.isOk()) {
            return Integer.toString(reading.problems().size());
        }
        Resources resources = reading.value().get(0).resources();
        return value(resources, "vcore") + " " + value(resources, "memory");
    }

    private static @Nullable Long value(Resources resources, String type) {
        return resources.names(type) ? (Long) resources.amount(type).value() : null;
    }
}
