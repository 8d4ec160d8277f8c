package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Two servers that are killed, stopped and continued under load, and an API server that is killed: each pod is bound
 * once and ends, and no queue exceeds its maximum at any time.
 */
@ProgramTest
@Timeout(1800)
final class ClusterCrashLoopTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The maximum number of cores, and so of pods, of each queue. */
    private static final Map<String, Integer> MAXIMA = Map.of("a", 8, "b", 5);

    private static final String CONFIGURATION = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: sluice-config}
            data:
              queues.yaml: |
                partitions:
                  - name: default
                    queues:
                      - name: root
                        queues:
                          - {name: a, resources: {max: {vcore: 8}}}
                          - {name: b, resources: {max: {vcore: 5}}}
            """;

    @TempDir
    private Path folder;

    private ReplicaCluster cluster;
    private @Nullable ReplicaCluster started;
    private final List<String> created = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        cluster = new ReplicaCluster(folder, 2);
        started = cluster;
    }

    @AfterEach
    void end() throws IOException {
        if (started != null) {
            started.close();
        }
    }

    @Test
    @Tag("kubernetes")
    void servers_killedFiveTimes_keepTheirPromises() throws Exception {
        crashes(5, 1, Long.getLong("sluice.seed", 2));
    }

    @Test
    @Tag("kubernetes")
    @Tag("long")
    void servers_killedFiftyTimes_keepTheirPromises() throws Exception {
        crashes(50, 10, Long.getLong("sluice.seed", 3));
    }

    private void crashes(int rounds, int apiServerKills, long seed) throws Exception {
        System.out.println("crash loop of the cluster: -Dsluice.seed=" + seed);
        Random random = new Random(seed);
        int stops = 0;
        String[] names = {"first", "second"};
        ServerProcess[] servers = new ServerProcess[names.length];
        assertThat(cluster.kubectlReading(CONFIGURATION, "create", "-f", "-")).contains("created");
        for (int i = 0; i < names.length; i++) {
            cluster.addReplica(names[i]);
            servers[i] = cluster.begin(names[i]);
        }
        try {
            for (int round = 0; round < rounds; round++) {
                create(6 + random.nextInt(8));
                Thread.sleep(500 + random.nextInt(5_000));
                if (round % (rounds / apiServerKills) == 2) {
                    cluster.killApiServer();
                    Thread.sleep(random.nextInt(3_000));
                }
                int leader = isLeader(servers[0]) ? 0 : 1;
                int victim = random.nextInt(3) == 0 ? 1 - leader : leader;
                if (servers[victim].isAlive() && round % 8 == 4) {
                    stops++;
                    signal("STOP", servers[victim]);
                    Thread.sleep((ReplicaCluster.LEASE_SECONDS + 2) * 1_000L);
                    signal("CONT", servers[victim]);
                    Thread.sleep(random.nextInt(2_000));
                }
                servers[victim].kill();
                for (int i = 0; i < names.length; i++) {
                    if (!servers[i].isAlive()) {
                        servers[i] = cluster.begin(names[i]);
                    }
                }
            }
            awaitEnds(names, servers);
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
        PodHistory history = new PodHistory(cluster.requests(), cluster.pods());
        assertThat(history.boundTwice()).isEmpty();
        assertThat(history.namesOfEnded()).containsExactlyInAnyOrderElementsOf(created);
        MAXIMA.forEach((queue, maximum) -> assertThat(history.most(queue))
                .as("most pods at a time in %s", queue)
                .isLessThanOrEqualTo(maximum));
        checkJournal();
        System.out.println("crash loop of the cluster: " + rounds + " kills, " + stops
                + " of them after having been stopped, " + apiServerKills + " kills of the API server; "
                + created.size() + " pods, at most " + history.most("a") + " and " + history.most("b")
                + " at a time; " + history.conflicts() + " bindings in conflict");
    }

    private static boolean isLeader(ServerProcess server) {
        return server.isAlive() && server.err().contains("listening on ");
    }

    private static void signal(String name, ServerProcess server) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(server.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Creates pods of one core that run for one to three seconds; retries while the API server is away. */
    private void create(int count) {
        StringBuilder pods = new StringBuilder();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String queue = (created.size() + i) % 2 == 0 ? "a" : "b";
            String name = queue + "-" + (created.size() + i);
            names.add(name);
            pods.append("""
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: %s
                      labels: {sluice.dev/queue: root.%s, applicationId: %s}
                      annotations: {test-cluster/duration: %ds}
                    spec:
                      schedulerName: sluice
                      containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
                    """.formatted(name, queue, "app-" + queue + (created.size() / 50), 1 + i % 3));
        }
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> {
            List<String> unknown = cluster.kubectlReading(pods.toString(), "create", "-f", "-")
                    .lines()
                    .filter(line -> !line.endsWith(" created") && !line.contains("already exists"))
                    .toList();
            return unknown.isEmpty();
        });
        created.addAll(names);
    }

    /** Waits until all pods have ended; starts servers again that have lost the lease. */
    private void awaitEnds(String[] names, ServerProcess[] servers) throws Exception {
        try {
            awaitAllEnded(names, servers);
        } catch (ConditionTimeoutException e) {
            List<String> left = cluster.pods().stream()
                    .filter(pod -> !phase(pod).equals("Succeeded"))
                    .map(pod -> pod.at("/metadata/name").asString() + " " + phase(pod) + " on "
                            + pod.at("/spec/nodeName").asString("none") + " " + pod.at("/status/conditions"))
                    .toList();
            throw new AssertionError(
                    left + "\n" + created.size() + " created\n" + servers[0].err() + "\n" + servers[1].err(), e);
        }
    }

    private void awaitAllEnded(String[] names, ServerProcess[] servers) {
        await("all pods have ended")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    for (int i = 0; i < names.length; i++) {
                        if (!servers[i].isAlive()) {
                            servers[i] = cluster.begin(names[i]);
                        }
                    }
                    if (!cluster.isReady()) {
                        return false;
                    }
                    List<JsonNode> pods = cluster.pods();
                    return pods.size() == created.size()
                            && pods.stream().allMatch(pod -> phase(pod).equals("Succeeded"));
                });
    }

    private static String phase(JsonNode pod) {
        return pod.at("/status/phase").asString("");
    }

    /** A new server replays the journal, and knows of no task that still runs. */
    private void checkJournal() throws Exception {
        try (ServerProcess server = cluster.begin("first")) {
            RetryingTestClient client = new RetryingTestClient(server.awaitReady());
            await().atMost(PATIENCE)
                    .until(() -> client.get("/partitions/default/nodes")
                            .json()
                            .valueStream()
                            .allMatch(node -> node.get("tasks").asInt() == 0));
            assertThat(client.get("/health").json().get("status").asString()).isEqualTo("up");
            server.terminate();
            assertThat(server.exitCode()).as(server.err()).isZero();
        }
    }
}
