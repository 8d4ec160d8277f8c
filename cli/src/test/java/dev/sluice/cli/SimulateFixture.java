package dev.sluice.cli;

import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A workload and two configurations to simulate. */
abstract class SimulateFixture {

    static final ObjectMapper JSON = new ObjectMapper();

    /** Two users with two hours of work for four cores; eve submits first. */
    static final String JOBS = """
            at: 2026-01-05T08:00:00Z
            nodes: [{name: n, count: 2, capacity: {vcore: 2}}]
            applications:
              - {id: long, user: eve, tasks: [{id: t, count: 8, resources: {vcore: 1}, duration: 1h}]}
              - {id: short, user: ada, submitted: 10m, tasks: [{id: t, count: 4, resources: {vcore: 1}, duration: 5m}]}
            """;

    static final String QUEUE_PER_USER = """
            partitions:
              - name: default
                placementrules: [{name: user, create: true}]
                queues: [{name: root}]
            """;

    static final String ONE_QUEUE = """
            partitions:
              - name: default
                placementrules: [{name: fixed, value: root.all}]
                queues: [{name: root, queues: [{name: all}]}]
            """;

    @TempDir
    Path directory;

    String jobs;
    String users;
    String one;

    @BeforeEach
    void writeFiles() throws Exception {
        jobs = write("jobs.yaml", JOBS);
        users = write("users.yaml", QUEUE_PER_USER);
        one = write("one.yaml", ONE_QUEUE);
    }

    String write(String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolve("..").normalize());
        return Files.writeString(file, text).toString();
    }

    static ProgramResult simulate(String... arguments) {
        List<String> all = new ArrayList<>(List.of("simulate"));
        all.addAll(Arrays.asList(arguments));
        return execute(all.toArray(String[]::new));
    }

    JsonNode json(String... arguments) {
        List<String> all = new ArrayList<>(List.of("-o", "json", "-q", "--workload", jobs));
        all.addAll(Arrays.asList(arguments));
        ProgramResult answer = simulate(all.toArray(String[]::new));
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isZero();
        return JSON.readTree(answer.out());
    }

    static List<String> names(JsonNode comparison) {
        return comparison
                .get("runs")
                .valueStream()
                .map(run -> run.get("name").asString())
                .toList();
    }

    static void assertRefused(ProgramResult answer, String... words) {
        assertThat(answer.err()).contains(words).doesNotContain("\tat ").doesNotContain("bug");
        assertThat(answer.out()).isEmpty();
        assertThat(answer.exitCode()).isEqualTo(2);
    }

    /** A log of two jobs and an incomplete line. */
    String damagedLog() throws Exception {
        return write("log.swf", """
                ; MaxProcs: 4
                1 0 -1 60 2 -1 -1 2 60 -1 1 1 1 1 1 -1 -1 -1
                2 5 -1 60
                3 9 -1 60 2 -1 -1 2 60 -1 1 2 1 1 1 -1 -1 -1
                """);
    }
}
