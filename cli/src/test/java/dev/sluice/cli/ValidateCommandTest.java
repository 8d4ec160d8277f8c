package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
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
        try (Stream<Path> found = Files.walk(Path.of(example("quickstart.yaml")).getParent())) {
            files = found.map(Path::toString)
                    .filter(name -> name.endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
        ProgramResult answer =
                execute(Stream.concat(Stream.of("validate"), files.stream()).toArray(String[]::new));

        assertThat(answer.err()).isEmpty();
        assertThat(answer.out()).contains("quickstart.yaml: valid job file\n", "snapshot.yaml: valid snapshot\n");
        assertThat(answer.out()).contains("queues-teams.yaml: valid queue configuration\n");
        assertThat(answer.out()).contains("office.yaml: valid synthetic workload\n", "jobs.yaml: valid job workload\n");
        assertThat(answer.out()).contains("philly.yaml: valid column mapping\n");
        assertThat(answer.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partitions: [{name: default, queues: [{name: root}]}]                  | queue configuration",
                "at: 2026-01-01T00:00:00Z                                               | snapshot",
                "{at: 2026-01-01T00:00:00Z, nodes: [], applications: []}                | snapshot",
                "tasks: [{id: t, command: x}]                                           | job file",
                "applications: [{id: a, tasks: [{id: t, command: x}]}]                  | job file",
                "{at: 2026-01-01T00:00:00Z, tasks: [{id: t, command: x}]}               | job file",
                "{nodes: [{name: n, capacity: {vcore: 1}}], tasks: [{id: t, command: x}]} | job file",
                "tasks: [{id: t, command: x, duration: 5m}]                             | job file",
                "tasks: [{id: t, duration: 5m}]                                         | job workload",
                "{at: 2026-01-01T00:00:00Z, nodes: [{name: n, capacity: {vcore: 1}}], tasks: [{id: t, duration: 5m}]} | job workload",
                "tasks: [{id: t, command: x, duration: 5m}, {id: u, duration: 5m}]      | job workload",
                "{synthetic: {for: 1h, arrivals: {every: 1m}, kinds: [{name: k, users: [u], resources: {vcore: 1}, duration: 5m}], users: [{name: u}]}} | synthetic workload",
                "nodes: [{name: n, capacity: {vcore: 1}}]                               | node list",
                "targets: [{name: a, command: x}]                                       | notification file",
                "applications: {submitted: t, duration: d, resources: {vcore: c}}       | column mapping",
                "nodes: {name: n, capacity: {vcore: c}}                                 | column mapping",
            })
    void kind_isToldByTheKeys(String text, String kind) throws Exception {
        assertThat(execute("validate", write(text)).out()).isEqualTo(directory + "/file.yaml: valid " + kind + "\n");
    }

    @Test
    void snapshot_withoutInstant_isNotAJobFile() throws Exception {
        String file = write("nodes: [{name: n, capacity: {vcore: 1}}]\napplications: [{id: a, tasks: [{id: t}]}]\n");

        assertThat(execute("validate", file).err()).contains("a snapshot needs an instant");
    }

    @Test
    void error_isShownWithLineAndCaret() throws Exception {
        String file = write("""
                partitions:
                  - name: default
                    queues:
                      - name: root
                        queues:
                          - {name: "日本", properties: {application.sort.policy: fifoo}}
                """);

        ProgramResult answer = execute("validate", file);

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

        ProgramResult answer =
                execute("validate", "-o", "json", bad, example("queues-batch-fifo.yaml"), "missing.yaml");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).isEmpty();
        assertThat(answer.out())
                .contains("{\"file\": \"" + bad + "\", \"valid\": false, \"errors\": [{\"line\": 3, \"column\": 27, "
                        + "\"path\": \"partitions[0].queues[0].nam\", \"message\": ")
                .contains("queues-batch-fifo.yaml\", \"valid\": true, \"errors\": [], \"warnings\": []}")
                .contains("{\"file\": \"missing.yaml\", \"valid\": false, \"errors\": [{\"line\": 0, \"column\": 0,"
                        + " \"path\": \"\", \"message\": \"file not found\"}]");
    }

    @Test
    void files_emptyBinaryOrMissing_areReported() throws Exception {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 0, 1});

        assertThat(execute("validate", write("")).exitCode()).isEqualTo(2);
        assertThat(execute("validate", write("just text")).exitCode()).isEqualTo(2);
        assertThat(execute("validate", binary.toString()).err()).contains("not valid UTF-8");
        assertThat(execute("validate", directory.toString()).err()).contains("is a directory");
        assertThat(execute("validate", "a\0b").err()).contains("invalid file name");
        assertThat(execute("validate").err()).contains("FILE").contains("sluice validate --help");
    }

    @Test
    void mapping_isCheckedWithoutItsTable() throws Exception {
        String file = write("""
                applications: {submitted: {column: t, unt: s}, duration: d, resources: {vcore: c}}
                nodes: {name: n}
                """);

        ProgramResult answer = execute("validate", file);

        assertThat(answer.err())
                .contains(":1:39: error: unknown key \"unt\" of a source of instants: did you mean \"unit\"?")
                .contains(":2:8: error: missing capacity");
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(execute(
                                "validate",
                                write(
                                        "columns: [a]\napplications: {submitted: b, duration: a, resources: {vcore: a}}\n"))
                        .err())
                .contains("unknown column \"b\"");
    }

    @Test
    void log_withMalformedLines_reportsThem() throws Exception {
        String job = " 0 -1 60 2 -1 -1 2 60 -1 1 1 1 1 1 -1 -1 -1\n";
        StringBuilder text = new StringBuilder("; MaxProcs: 4\n");
        for (int i = 1; i <= 200; i++) {
            text.append(i).append(job);
        }
        Path file = directory.resolve("log.swf");
        assertThat(execute("validate", Files.writeString(file, text).toString()).out())
                .isEqualTo(file + ": valid workload log\n");

        ProgramResult few =
                execute("validate", Files.writeString(file, text + "broken\n").toString());
        assertThat(few.out()).isEqualTo(file + ": valid workload log, 1 warning\n");
        assertThat(few.err()).contains(file + ":202:");

        ProgramResult many = execute(
                "validate",
                Files.writeString(file, text + "broken\n".repeat(20)).toString());
        assertThat(many.exitCode()).isEqualTo(2);
        assertThat(many.out()).isEqualTo(file + ": 20 errors\n");
    }

    @Test
    void table_withoutMapping_isRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("jobs.csv"), "a,b\n1,2\n");

        ProgramResult answer = execute("validate", file.toString());

        assertThat(answer.err()).contains("checked together with its column mapping: sluice simulate");
        assertThat(answer.exitCode()).isEqualTo(2);
    }

    @Test
    void jobFile_withUnknownResourceType_warns() throws Exception {
        String jobs = "tasks: [{id: t, resources: {gpu: 1}, command: 'true'}]\n";
        Path without = Files.writeString(directory.resolve("without.yaml"), jobs);
        Path with =
                Files.writeString(directory.resolve("with.yaml"), "nodes: [{name: n, capacity: {vcore: 1}}]\n" + jobs);

        assertThat(Program.execute("validate", without.toString()).err()).isEmpty();
        ProgramResult answer = Program.execute("validate", with.toString());
        assertThat(answer.exitCode()).isZero();
        assertThat(answer.err())
                .contains(
                        ":2:34: warning: no node has the resource type \"gpu\" that this task requests: expected vcore");
    }
}
