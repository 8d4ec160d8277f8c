package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.host.IncrementalQueryRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every read route on a state larger than the budget of one step. */
final class LargeStateRoutesTest {

    private static final int MANY = 220;

    /** The test's clock advances by a millisecond per reading, so a step reads it six times. */
    private static final int READINGS = 6;

    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    properties: {queue.share.policy: load}
                    queues:
            %s
            """;

    private final AtomicLong nanos = new AtomicLong();
    private final List<Integer> pieces = new CopyOnWriteArrayList<>();

    private TestDaemon start(Path folder) throws Exception {
        TestDaemon daemon = TestDaemon.withQueries(
                DaemonSettings.in(folder),
                loop -> new IncrementalQueryRunner(loop, () -> nanos.addAndGet(1_000_000), pieces::add));
        StringBuilder applications = new StringBuilder("{\"applications\": [");
        StringBuilder tasks = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            applications
                    .append(i == 0 ? "" : ", ")
                    .append("{\"id\": \"a")
                    .append(i)
                    .append("\", \"queue\": \"root.q1\", \"sealed\": false}");
            tasks.append(i == 0 ? "" : ", ")
                    .append("{\"id\": \"t")
                    .append(i)
                    .append("\", \"resources\": {\"vcore\": \"")
                    .append(i + 100)
                    .append("\"}}");
        }
        TestHttpClient client = daemon.client();
        expect(200, client.send("PUT", "/configuration", configuration(), TestHttpClient.YAML));
        Reply submitted = client.post("/submissions", applications + "]}");
        assertThat(submitted.at("/accepted")).as(submitted.text()).isEqualTo(Integer.toString(MANY));
        expect(
                201,
                client.post(
                        "/partitions/default/applications",
                        "{\"id\": \"large\", \"queue\": \"root.q1\", \"tasks\": [" + tasks + "]}"));
        for (int i = 0; i < MANY; i++) {
            String node = "{\"name\": \"n" + i + "\", \"capacity\": {\"vcore\": \"1\"}}";
            expect(201, client.post("/partitions/default/nodes", node));
        }
        return daemon;
    }

    private static void expect(int status, Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    }

    private static String configuration() {
        StringBuilder queues = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            queues.append("          - {name: q").append(i).append(", properties: {load.percent: \"1\"}}\n");
        }
        return QUEUES.formatted(queues);
    }

    @Test
    @Tag("slow")
    void configuration_large_isValidatedInSteps(@TempDir Path folder) throws Exception {
        try (TestDaemon daemon = start(folder)) {
            TestHttpClient client = daemon.client();
            for (String text : List.of(configuration(), configuration().replace("q1,", "q1, parent: true,"))) {
                pieces.clear();
                Reply reply = client.send("POST", "/configuration/validate", text, TestHttpClient.YAML);
                assertThat(reply.status()).as(reply.text()).isEqualTo(text.contains("parent") ? 409 : 200);
                assertThat(pieces)
                        .as("scans per step")
                        .isNotEmpty()
                        .allMatch(looks -> looks <= READINGS * IncrementalQueryRunner.BUDGET);
                assertThat(pieces.size() > 1).isEqualTo(reply.status() == 200);
            }
        }
    }

    @Test
    @Tag("slow")
    void routes_onLargeState_runInSteps(@TempDir Path folder) throws Exception {
        Set<String> inPieces = new TreeSet<>();
        try (TestDaemon daemon = start(folder)) {
            TestHttpClient client = daemon.client();
            List<String> paths = new ArrayList<>();
            for (String operation : client.contract().operations()) {
                if (operation.startsWith("GET /api/v1/") && !operation.endsWith("/events/stream")) {
                    paths.add(operation.substring("GET /api/v1".length()));
                }
            }
            paths.add("//metrics");
            assertThat(paths).hasSizeGreaterThan(20);
            for (String path : paths) {
                pieces.clear();
                Reply reply = client.get(path.replace("{partition}", "default")
                        .replace("{application}", "large")
                        .replace("{task}", "t" + (MANY - 1))
                        .replace("{node}", "n1")
                        .replace("{queue}", "root")
                        .replace("{revision}", "1"));
                assertThat(reply.status()).as(path).isIn(200, path.endsWith("/log") ? 404 : 200);
                assertThat(pieces)
                        .as("scans per step of %s", path)
                        .allMatch(looks -> looks <= READINGS * IncrementalQueryRunner.BUDGET);
                if (pieces.size() > 1) {
                    inPieces.add(path);
                }
            }
        }
        assertThat(inPieces)
                .containsExactlyInAnyOrder(
                        "//metrics",
                        "/history/usage",
                        "/history/usage/steps",
                        "/history/workload",
                        "/partitions/{partition}/applications",
                        "/partitions/{partition}/applications/{application}",
                        "/partitions/{partition}/applications/{application}/tasks",
                        "/partitions/{partition}/applications/{application}/tasks/{task}/why",
                        "/partitions/{partition}/applications/{application}/why",
                        "/partitions/{partition}/classes",
                        "/partitions/{partition}/nodes",
                        "/partitions/{partition}/queues",
                        "/snapshot");
    }
}
