package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.LimitMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What tasks have used, as the server shows it. */
@Timeout(120)
final class MeasuredTasksTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    /** Work of some tenths of a second in a child. */
    private static final String BURN = "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'";

    private static final long HELD = 60_000_000;

    @TempDir
    Path folder;

    private TestDaemon start() throws Exception {
        DaemonSettings.LocalNode node = new DaemonSettings.LocalNode(
                "default",
                "here",
                Resources.parse("slots", "2", "vcore", "2", "memory", "1Gi"),
                new TreeMap<>(),
                new Confinement(Gpus.NONE, Enforcement.of(LimitMode.WATCH)));
        return TestDaemon.start(TestDaemon.settings(folder.resolve("data")).withNode(node));
    }

    /** Returns a command that holds memory until a file exists. */
    private static String holdUntil(Path end) {
        return "x=$(head -c 60000000 /dev/zero | tr '\\\\0' a); while [ ! -e " + end + " ]; do sleep 0.01; done";
    }

    private static void submit(TestDaemon daemon, String id, String task) {
        String body =
                "{\"id\": \"" + id + "\", \"queue\": \"root.default\", \"sealed\": true, \"tasks\": [{\"id\": \"t\","
                        + " \"resources\": {\"vcore\": 2, \"memory\": \"512Mi\"}, " + task + "}]}";
        assertThat(daemon.client().post(APPLICATIONS, body).status()).isEqualTo(201);
    }

    private static JsonNode task(TestDaemon daemon, String id) {
        return daemon.client().get(APPLICATIONS + "/" + id + "/tasks/t").json();
    }

    @Test
    void retriedTask_bothRuns_haveTheirOwnFigures() throws Exception {
        try (TestDaemon daemon = start()) {
            Path first = folder.resolve("first");
            submit(
                    daemon,
                    "a",
                    "\"retries\": 1, \"command\": \"mkdir " + first + " || { " + BURN + "; exit 0; }; exit 1\"");
            daemon.client().awaitState("a", "Completed");
            JsonNode runs =
                    daemon.client().get(APPLICATIONS + "/a/tasks").json().get("items");
            assertThat(runs).hasSize(2);
            JsonNode second = runs.get(0);
            assertThat(second.get("attempt").asInt()).isEqualTo(2);
            double burnt = second.get("cpuSeconds").asDouble();
            assertThat(burnt).isBetween(0.05, 60.0);
            assertThat(runs.get(1).get("cpuSeconds").asDouble()).isBetween(0.0, burnt / 2);
            assertThat(second.get("resources").toString()).isEqualTo("{\"memory\":536870912,\"vcore\":2000}");

            JsonNode used = daemon.client().get(APPLICATIONS + "/a/efficiency").json();
            assertThat(used.get("runs").asInt()).isEqualTo(2);
            assertThat(used.at("/items/0/runs").asInt()).isEqualTo(2);
            assertThat(used.at("/items/0/cpuSeconds").asDouble()).isBetween(burnt, 2 * burnt);
            assertThat(used.at("/items/0/cpuEfficiency").asDouble()).isBetween(0.001, 1.0);
        }
    }

    @Test
    void runningTask_measuredOverRestart_keepsItsPeak() throws Exception {
        Path end = folder.resolve("end");
        try (TestDaemon daemon = start()) {
            submit(daemon, "a", "\"command\": \"" + BURN + "; " + holdUntil(end) + "\"");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> task(daemon, "a").path("memory").asLong() >= HELD);
            assertThat(task(daemon, "a").get("memoryPeak").asLong()).isBetween(HELD, 8 * HELD);
            assertThat(task(daemon, "a").get("cpuSeconds").asDouble()).isPositive();
        }
        try (TestDaemon daemon = start()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> task(daemon, "a").path("memory").asLong() >= HELD);
            Files.createFile(end);
            daemon.client().awaitState("a", "Completed");
            JsonNode ended = task(daemon, "a");
            assertThat(ended.get("cpuSeconds").asDouble()).isBetween(0.05, 60.0);
            assertThat(ended.get("memoryPeak").asLong()).isBetween(HELD, 8 * HELD);
            assertThat(ended.has("memory")).isFalse();
        }
    }

    /** The shell of the run records the processor time; nobody was there to see its memory. */
    @Test
    void task_endingWhileServerIsDown_hasProcessorTimeOnly() throws Exception {
        Path begin = folder.resolve("begin");
        Path done = folder.resolve("done");
        Path up = folder.resolve("up");
        try (TestDaemon daemon = start()) {
            submit(
                    daemon,
                    "a",
                    "\"command\": \"touch " + up + "; while [ ! -e " + begin + " ]; do sleep 0.01; done; " + BURN
                            + "; touch " + done + "\"");
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(up));
        }
        Files.createFile(begin);
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(done));
        try (TestDaemon daemon = start()) {
            daemon.client().awaitState("a", "Completed");
            assertThat(task(daemon, "a").get("cpuSeconds").asDouble()).isBetween(0.05, 60.0);
        }
    }
}
