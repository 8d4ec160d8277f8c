package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ValidateCommandTest {

    @TempDir
    Path directory;

    private String write(String text) throws Exception {
        return Files.writeString(directory.resolve("file.yaml"), text).toString();
    }

    @Test
    void examples_areValidWithoutAnyWarning() throws Exception {
        List<String> files;
        try (Stream<Path> found = Files.list(Path.of(example("quickstart.yaml")).getParent())) {
            files = found.map(Path::toString)
                    .filter(name -> name.endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
        Answer answer =
                execute(Stream.concat(Stream.of("validate"), files.stream()).toArray(String[]::new));

        assertThat(answer.err()).isEmpty();
        assertThat(answer.out()).contains("quickstart.yaml: valid job file\n", "situation.yaml: valid situation\n");
        assertThat(answer.out()).contains("queues-teams.yaml: valid queue configuration\n");
        assertThat(answer.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partitions: [{name: default, queues: [{name: root}]}]                  | queue configuration",
                "at: 2026-01-01T00:00:00Z                                               | situation",
                "{at: 2026-01-01T00:00:00Z, nodes: [], applications: []}                | situation",
                "tasks: [{id: t, command: x}]                                           | job file",
                "applications: [{id: a, tasks: [{id: t, command: x}]}]                  | job file",
                "{at: 2026-01-01T00:00:00Z, tasks: [{id: t, command: x}]}               | job file",
                "{nodes: [{name: n, capacity: {vcore: 1}}], tasks: [{id: t, command: x}]} | job file",
            })
    void kind_isToldByTheKeys(String text, String kind) throws Exception {
        assertThat(execute("validate", write(text)).out()).isEqualTo(directory + "/file.yaml: valid " + kind + "\n");
    }

    @Test
    void situation_withoutItsInstant_isNotTakenForAJobFile() throws Exception {
        String file = write("nodes: [{name: n, capacity: {vcore: 1}}]\napplications: [{id: a, tasks: [{id: t}]}]\n");

        assertThat(execute("validate", file).err()).contains("a situation needs its instant");
    }

    @Test
    void mistake_isShownInItsLineWithACaret() throws Exception {
        String file = write("""
                partitions:
                  - name: default
                    queues:
                      - name: root
                        queues:
                          - {name: "日本", properties: {application.sort.policy: fifoo}}
                """);

        Answer answer = execute("validate", file);

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("""
                        file.yaml:6:64: error: unknown sort policy "fifoo": did you mean "fifo"?
                          6 |           - {name: "日本", properties: {application.sort.policy: fifoo}}
                            |                                                                  ^
                        """);
        assertThat(answer.out()).endsWith("file.yaml: 2 errors\n");
    }

    @Test
    void json_hasAnEntryPerFileWithPlaces() throws Exception {
        String bad = write("partitions:\n  - name: default\n    queues: [{name: root, nam: x}]\n");

        Answer answer = execute("validate", "-o", "json", bad, example("queues-batch-fifo.yaml"), "missing.yaml");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).isEmpty();
        assertThat(answer.out())
                .contains("{\"file\": \"" + bad + "\", \"valid\": false, \"errors\": [{\"line\": 3, \"column\": 27, "
                        + "\"path\": \"partitions[0].queues[0].nam\", \"message\": ")
                .contains("queues-batch-fifo.yaml\", \"valid\": true, \"errors\": [], \"warnings\": []}")
                .contains("{\"file\": \"missing.yaml\", \"valid\": false, \"errors\": [{\"line\": 0, \"column\": 0,"
                        + " \"path\": \"\", \"message\": \"there is no such file\"}]");
    }

    @Test
    void files_empty_notText_andNotEvenFiles_areAnswered() throws Exception {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 0, 1});

        assertThat(execute("validate", write("")).exitCode()).isEqualTo(2);
        assertThat(execute("validate", write("just text")).exitCode()).isEqualTo(2);
        assertThat(execute("validate", binary.toString()).err()).contains("this is not UTF-8");
        assertThat(execute("validate", directory.toString()).err()).contains("this is a directory");
        assertThat(execute("validate", "a\0b").err()).contains("this cannot be the name of a file");
        assertThat(execute("validate").err()).contains("FILE").contains("sluice validate --help");
    }
}
