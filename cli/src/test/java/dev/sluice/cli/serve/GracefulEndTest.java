package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that shut down, and their tasks. */
@Timeout(300)
@ProgramTest
final class GracefulEndTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    @TempDir
    Path folder;

    private Path data = Path.of("");

    @BeforeEach
    void nameData() {
        data = folder.resolve("data");
    }

    @Test
    @Tag("long")
    void server_terminatedUnderLoad_losesNothing() throws Exception {
        TaskRunLog runLog = new TaskRunLog(folder.resolve("witness"));
        AtomicReference<@Nullable RetryingTestClient> client = new AtomicReference<>();
        try (Load load = new Load(4, 1, runLog, client::get)) {
            for (int i = 0; i < 3; i++) {
                try (ServerProcess server = ServerProcess.start(data, "--slots", "6", "--checkpoint-events", "100")) {
                    client.set(new RetryingTestClient(server.port()));
                    Thread.sleep(700);
                    long began = System.nanoTime();
                    server.terminate();
                    assertThat(server.exitCode()).as(server.err()).isZero();
                    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
                    assertThat(server.err()).doesNotContain("Exception");
                    client.set(null);
                }
                assertThat(StoredState.read(data, true).ended().keySet()).containsAll(load.acknowledged.keySet());
            }
            try (ServerProcess server = ServerProcess.start(data, "--slots", "6")) {
                client.set(new RetryingTestClient(server.port()));
                load.finish();
                awaitNothingActive(new RetryingTestClient(server.port()));
            }
            assertThat(load.faults).isEmpty();
            runLog.checkRunsOnce(load.cancelled);
        }
    }

    @Test
    @Tag("slow")
    void tasks_ofStoppedServer_continueAndAreReconciled() throws Exception {
        TaskRunLog runLog = new TaskRunLog(folder.resolve("witness"));
        try (ServerProcess server = ServerProcess.start(data, "--slots", "2")) {
            submit(new RetryingTestClient(server.port()), "a", 2, runLog.command("a", "3"));
            awaitLines(runLog, 2);
            server.terminate();
            assertThat(server.exitCode()).isZero();
            assertThat(runLog.lines()).hasSize(2);
        }
        try (ServerProcess server = ServerProcess.start(data, "--slots", "2")) {
            RetryingTestClient client = new RetryingTestClient(server.port());
            awaitNothingActive(client);
            assertThat(client.get(APPLICATIONS + "/a")
                            .json()
                            .at("/tasks/succeeded")
                            .asInt())
                    .isEqualTo(2);
        }
        runLog.checkRunsOnce(Set.of());
        assertThat(runLog.ends()).isEqualTo(Map.of("a/t-0", 1, "a/t-1", 1));
    }

    @Test
    @Tag("slow")
    void tasks_stoppedWithTheirServer_runAgain() throws Exception {
        TaskRunLog runLog = new TaskRunLog(folder.resolve("witness"));
        String[] arguments = {"--slots", "2", "--stop-tasks", "--grace", "2s"};
        for (int i = 0; i < 3; i++) {
            try (ServerProcess server = ServerProcess.start(data, arguments)) {
                RetryingTestClient client = new RetryingTestClient(server.port());
                if (i == 0) {
                    submit(client, "a", 2, runLog.command("a", "1000"));
                    submit(client, "b", 2, runLog.command("b", "0.1"));
                }
                int run = 2 * (i + 1);
                awaitLines(runLog, run);
                server.terminate();
                assertThat(server.exitCode()).as(server.err()).isZero();
                assertThat(server.err()).doesNotContain("Exception");
                assertThat(runLog.lines())
                        .as("nothing is started while it ends")
                        .hasSize(run);
                for (TaskRunLog.Line line : runLog.lines()) {
                    assertThat(ProcessHandle.of(line.pid()).map(ProcessHandle::isAlive))
                            .as("process of %s", line)
                            .isNotEqualTo(Optional.of(true));
                }
            }
        }
        assertThat(runLog.lines()).extracting(TaskRunLog.Line::application).containsOnly("a");
        assertThat(StoredState.read(data, true).ended().get("b")).isEqualTo("Accepted");
    }

    @Test
    @Tag("slow")
    void node_removedWithRunningTasks_stopsThemBeforeRetry() throws Exception {
        TaskRunLog runLog = new TaskRunLog(folder.resolve("witness"));
        try (ServerProcess server = ServerProcess.start(data, "--slots", "2")) {
            RetryingTestClient client = new RetryingTestClient(server.port());
            submit(client, "a", 1, runLog.stubborn("a", "3"));
            awaitLines(runLog, 1);
            String node = client.get("/partitions/default/nodes")
                    .json()
                    .get(0)
                    .get("name")
                    .asString();
            assertThat(client.delete("/partitions/default/nodes/" + node).status())
                    .isEqualTo(204);
            Map<String, Object> document = Map.of("name", node, "capacity", Map.of("vcore", "1"));
            assertThat(client.postJson("/partitions/default/nodes", document).status())
                    .isEqualTo(201);
            awaitNothingActive(client);
            assertThat(server.isAlive()).as(server.err()).isTrue();
        }
        runLog.checkRunsOnce(Set.of());
        assertThat(runLog.lines())
                .extracting(TaskRunLog.Line::attempt)
                .as("it ran again, after it had ended")
                .containsExactly(1, 1, 2, 2);
    }

    private static void submit(RetryingTestClient client, String id, int count, String command) throws IOException {
        RetryingTestClient.TestResponse answer = client.post(
                APPLICATIONS,
                "{id: " + id + ", sealed: true, tasks: [{id: t, count: " + count
                        + ", resources: {vcore: 10m}, command: '" + command + "'}]}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    private static void awaitLines(TaskRunLog runLog, int lines) {
        Awaitility.await("lines of tasks")
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> runLog.lines().size() >= lines);
    }

    static void awaitNothingActive(RetryingTestClient client) {
        Awaitility.await("all has ended")
                .atMost(120, TimeUnit.SECONDS)
                .until(() -> client.get(APPLICATIONS + "?state=active&limit=1")
                        .json()
                        .get("items")
                        .isEmpty());
    }
}
