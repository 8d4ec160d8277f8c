package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskContainer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerReaderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private static TaskCommand command(String task, SubmissionOrigin origin) {
        return Objects.requireNonNull(JobFileReader.read("j", "tasks: [{id: a, " + task + "}]", NOW, null, origin)
                .value()
                .applications()
                .get(0)
                .tasks()
                .get(0)
                .spec()
                .command());
    }

    private static TaskCommand command(String task) {
        return command(task, SubmissionOrigin.UNKNOWN);
    }

    @Test
    void image_alone_needsNoCommand() {
        assertThat(command("image: python:3.13"))
                .isEqualTo(new TaskCommand(
                        List.of(),
                        false,
                        new TreeMap<>(),
                        null,
                        null,
                        TaskCommand.UMASK_INHERITED,
                        new TreeMap<>(),
                        new TaskContainer("python:3.13", "", "")));
    }

    @Test
    void command_ofContainer_hasItsOwnDirectory() {
        SubmissionOrigin origin = new SubmissionOrigin("/home/alice", new TreeMap<>(Map.of("A", "1", "B", "1")));
        TaskCommand inherited = command("image: i, command: make, env: {B: 2}", origin);
        assertThat(inherited.directory()).as("that of the image").isNull();
        assertThat(inherited.environment()).hasToString("{A=1, B=2}");
        assertThat(inherited.shell()).isTrue();
        assertThat(command("image: i, command: [make, all], directory: /work", origin))
                .extracting(TaskCommand::words, TaskCommand::directory)
                .containsExactly(List.of("make", "all"), "/work");
    }

    @Test
    void fieldsOfKubernetes_areKeptAsJson() {
        TaskContainer container =
                Objects.requireNonNull(command("image: i, pod: {hostname: '1', a: [1, -0.5e3, true, null, \"\\n\"]},"
                                + " container: {envFrom: [{secretRef: {name: db}}]}")
                        .container());
        assertThat(container.pod()).isEqualTo("{\"hostname\": \"1\", \"a\": [1, -0.5e3, true, null, \"\\n\"]}");
        assertThat(container.container()).isEqualTo("{\"envFrom\": [{\"secretRef\": {\"name\": \"db\"}}]}");
        assertThat(Objects.requireNonNull(command("image: i, pod: {}").container())
                        .pod())
                .isEmpty();
    }

    @Test
    void parametersOfMatrix_areReplacedInFields() {
        TaskContainer container =
                Objects.requireNonNull(command("matrix: {v: [3.13]}, image: 'python:{v}', container: {args: ['{v}']}")
                        .container());
        assertThat(container).isEqualTo(new TaskContainer("python:3.13", "{\"args\": [\"3.13\"]}", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            image: 'a b' | 24 | "a b" is not an image, such as python:3.13: remove the spaces
            image: i, stdin: f | 34 | a container has no file for stdin: remove it, and read the file in the command
            image: i, umask: '027' | 34 | umask has no effect in a container: remove it, and call umask in the command
            image: i, secrets: {A: b} | 36 | secrets are not passed to containers: refer to a secret of the cluster, such as container: {envFrom: [{secretRef: {name: database}}]}
            image: i, directory: sub | 38 | the directory of a container must be absolute, such as /work
            image: i, container: [a] | 38 | container must be a map of fields, as Kubernetes writes them
            image: i, pod: {a: yes} | 36 | "yes" may be text or a truth value: put it in quotes, or write true or false
            image: i, pod: {a: 0x10} | 36 | "0x10" is a number of a form that JSON does not have: write it in decimal, or put it in quotes
            command: x, pod: {a: 1} | 34 | pod needs an image: add image, such as image: python:3.13
            """)
    void invalidContainer_isReportedWithCure(String task, int column, String problem) {
        assertThat(JobFileReader.read("j", "tasks: [{id: a, " + task + "}]", NOW)
                        .report())
                .isEqualTo("j:1:" + column + ": " + problem);
    }

    @Test
    void secretsOfSubmission_areRefused() {
        SubmissionOrigin origin = SubmissionOrigin.UNKNOWN.withSecrets(new TreeMap<>(Map.of("TOKEN", "hunter2")));
        assertThat(JobFileReader.read("j", "tasks: [{id: a, image: i}]", NOW, null, origin)
                        .report())
                .startsWith("j:1:24: secrets are not passed to containers")
                .doesNotContain("hunter2");
    }
}
