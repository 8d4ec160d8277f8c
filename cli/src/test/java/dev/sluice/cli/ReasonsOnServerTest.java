package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code why} and {@code events} say about gangs, reservations and preemption of real processes. */
@ProgramTest
@Tag("slow")
final class ReasonsOnServerTest {

    // root
    //  ├─ production  guaranteed(slots 1)
    //  ├─ research
    //  └─ office
    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    properties: {preemption.delay: 1ms, reservation.delay: 0s}
                    queues:
                      - {name: production, resources: {guaranteed: {slots: 1}}}
                      - {name: research}
                      - {name: office}
            """;

    private static TestServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        server = TestServer.withNode(data.resolve("server"), QUEUES, "--grace", "10m");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private void submit(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("jobs.yaml"), text);
        ProgramResult submitted = server.execute("submit", file.toString());
        assertThat(submitted.exitCode()).as(submitted.err()).isZero();
    }

    /** A shell command that waits until a file of this test exists, or its folder does not any more. */
    private String until(String name) {
        return "while [ -e " + directory + " ] && [ ! -e " + directory.resolve(name) + " ]; do sleep 0.05; done";
    }

    private void create(String name) throws Exception {
        Files.createFile(directory.resolve(name));
    }

    private static void awaitOutput(String expected, String... command) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(server.execute(command).out()).containsPattern(expected));
    }

    private static void awaitCompleted(String... applications) {
        for (String application : applications) {
            ProgramResult waited = server.execute("wait", application, "--timeout", "120s");
            assertThat(waited.out()).as(waited.err()).contains("Completed");
        }
    }

    private static String why(String application) {
        return server.execute("why", application, "-o", "json").out();
    }

    private static String events(String application, String type) {
        return server.execute("events", "--application", application, "--type", type, "-o", "yaml")
                .out();
    }

    @Test
    void gang_thatDoesNotFit_isIncomplete() throws Exception {
        submit("{id: busy-1, queue: root.research, tasks: [{id: t, count: 3, command: '" + until("go") + "'}]}");
        submit("{id: gang-1, queue: root.research, gang: {tasks: {w: 3}},"
                + " tasks: [{id: w, count: 3, command: 'true'}]}");

        awaitOutput("3 tasks wait: 1 of 3 members of the gang fit", "why", "gang-1");
        assertThat(why("gang-1")).contains("\"code\": \"gang-incomplete\"", "\"fitting\": 1", "\"members\": 3");
        create("go");
        awaitCompleted("busy-1", "gang-1");
        assertThat(events("gang-1", "application.gangstarted")).contains("members: 3", "waitingSince: ");
    }

    @Test
    void node_reserved_namesHolderAndStart() throws Exception {
        submit("{id: busy-2, queue: root.research," + " tasks: [{id: t, count: 3, timeout: 2h, command: '" + until("go")
                + "'}]}");
        submit("{id: gang-2, queue: root.research, gang: {tasks: {w: 4}},"
                + " tasks: [{id: w, count: 4, command: 'true'}]}");
        awaitOutput("reserved on node \\S+ from \\S+Z", "why", "gang-2");
        submit("{id: late-2, queue: root.office, tasks: [{id: t, command: 'true'}]}");
        awaitOutput("node \\S+ is reserved for task w-0 of application gang-2 from \\S+Z", "why", "late-2");
        assertThat(why("gang-2")).contains("\"code\": \"has-reservation\"");
        assertThat(why("late-2")).contains("\"code\": \"reserved-for\"");
        assertThat(events("gang-2", "reservation.made")).contains("delays: 0", "nodes:");

        create("go");
        awaitCompleted("busy-2", "gang-2", "late-2");
        assertThat(events("gang-2", "reservation.ended")).contains("reason: started");
    }

    /** The victim ends only when it may; until then it is preempting, and the task that preempted it is reserved. */
    @Test
    void victim_notEnded_isPreempting() throws Exception {
        Path runs = directory.resolve("runs");
        submit("{id: model-3, queue: root.research, tasks: [{id: t, count: 4, command: \"trap 'asked=1' TERM;"
                + " echo $SLUICE_TASK >>" + runs + "; " + until("go") + "; test -z $asked\"}]}");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.exists(runs) && Files.readAllLines(runs).size() == 4);
        submit("{id: report-3, queue: root.production, tasks: [{id: t, command: 'true'}]}");

        awaitOutput("preempted for another task; runs again after it has ended", "why", "model-3");
        assertThat(why("model-3")).contains("\"code\": \"preempting\"");
        awaitOutput(
                "reserved on \\S+ since \\S+; starts when 1 task preempted there has ended: model-3/t-\\d",
                "why",
                "report-3",
                "t");
        String stopping = events("model-3", "task.stopping");
        assertThat(stopping).contains("reason: guarantee", "application: report-3");
        assertThat(server.execute("events", "--application", "model-3").out())
                .containsPattern("task.stopping +model-3 t\\[\\d] on \\S+ \\(guarantee\\) for report-3 t\\[\\d]");
        assertThat(server.execute("tasks", "model-3").out()).contains("preempting");

        create("go");
        awaitCompleted("report-3", "model-3");
        List<String> started = Files.readAllLines(runs);
        assertThat(started).hasSize(5);
        assertThat(Collections.frequency(started, started.get(4))).isEqualTo(2);
    }
}
