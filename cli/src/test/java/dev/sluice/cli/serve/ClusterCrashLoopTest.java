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
import java.util.regex.Pattern;
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
 * once and ends, each task whose runs must not be repeated has at most one pod, and no queue exceeds its maximum at any
 * time. The first two queues have pods, the third one tasks of jobs with an image.
 */
@ProgramTest
@Timeout(1800)
final class ClusterCrashLoopTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The maximum number of cores, and so of pods, of each queue. */
    private static final Map<String, Integer> MAXIMA = Map.of("a", 8, "b", 5, "c", 4);

    private static final String TASKS = "tasks";

    /** Ends the name of a pod of a run: its number, and a hash of the run. */
    private static final Pattern RUN = Pattern.compile("-[0-9]+-[0-9a-f]{10}$");

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
                          - {name: c, resources: {max: {vcore: 4}}}
            """;

    @TempDir
    private Path folder;

    private ReplicaCluster cluster;
    private @Nullable ReplicaCluster started;
    private final List<String> created = new ArrayList<>();
    private int jobs;

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
        assertThat(cluster.kubectl("create", "namespace", TASKS)).contains("created");
        for (int i = 0; i < names.length; i++) {
            cluster.addReplica(names[i]);
            servers[i] = begin(names[i]);
        }
        try {
            for (int round = 0; round < rounds; round++) {
                create(6 + random.nextInt(8));
                submit(names, servers, 2 + random.nextInt(4));
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
                startAgain(names, servers);
            }
            awaitEnds(names, servers);
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
        PodHistory history = new PodHistory(cluster.requests(), List.of(names), cluster.pods());
        assertThat(history.boundTwice()).isEmpty();
        assertThat(history.namesOfEnded("default")).containsExactlyInAnyOrderElementsOf(created);
        assertThat(history.created().stream().map(name -> RUN.matcher(name).replaceFirst("")))
                .as("the tasks of the pods that were created")
                .isNotEmpty()
                .doesNotHaveDuplicates();
        assertThat(history.namesOfEnded(TASKS)).as("pods of tasks").isNotEmpty();
        MAXIMA.forEach((queue, maximum) -> assertThat(history.most(queue))
                .as("most pods at a time in %s", queue)
                .isLessThanOrEqualTo(maximum));
        checkJournal();
        System.out.println("crash loop of the cluster: " + rounds + " kills, " + stops
                + " of them after having been stopped, " + apiServerKills + " kills of the API server; "
                + created.size() + " pods, at most " + history.most("a") + " and " + history.most("b")
                + " at a time; " + history.conflicts() + " bindings in conflict; " + jobs + " jobs, "
                + history.created().size() + " pods created for their tasks, "
                + history.namesOfEnded(TASKS).size() + " of them succeeded");
    }

    private ServerProcess begin(String name) throws IOException {
        return cluster.begin(name, "--task-namespace", TASKS, "--keep-pods", "1h");
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

    /**
     * Submits a job whose tasks run for one to three seconds, and are not repeated if they are lost. A submission whose
     * answer was lost is refused when it is repeated.
     */
    private void submit(String[] names, ServerProcess[] servers, int count) {
        String job = """
                {id: c-%d, queue: root.c, tasks: [{id: t, count: %d, image: none, command: "true", lostretries: 0,
                 resources: {vcore: 1}, pod: {metadata: {annotations: {test-cluster/duration: %ds}}}}]}
                """.formatted(jobs, count, 1 + jobs % 3);
        await("job " + jobs + " is submitted")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    startAgain(names, servers);
                    RetryingTestClient client = client(servers);
                    int status = client == null
                            ? 0
                            : client.post("/partitions/default/applications", job)
                                    .status();
                    assertThat(status).as("answer to a job").isIn(0, 201, 409, 503);
                    return status == 201 || status == 409;
                });
        jobs++;
    }

    /** Starts servers again that were killed, or have lost the lease. */
    private void startAgain(String[] names, ServerProcess[] servers) throws IOException {
        for (int i = 0; i < names.length; i++) {
            if (!servers[i].isAlive()) {
                servers[i] = begin(names[i]);
            }
        }
    }

    /** Returns a client of the leader, or null if none is known. */
    private static @Nullable RetryingTestClient client(ServerProcess[] servers) {
        for (ServerProcess server : servers) {
            if (isLeader(server)) {
                return new RetryingTestClient(server.port());
            }
        }
        return null;
    }

    private static boolean haveJobsEnded(ServerProcess[] servers) throws IOException {
        RetryingTestClient client = client(servers);
        return client != null
                && client.get("/partitions/default/applications?queue=root.c&state=active&limit=1000")
                        .json()
                        .path("items")
                        .isEmpty();
    }

    /** Waits until all pods and jobs have ended; starts servers again that have lost the lease. */
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
                .ignoreExceptionsInstanceOf(IOException.class)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    startAgain(names, servers);
                    if (!cluster.isReady() || !haveJobsEnded(servers)) {
                        return false;
                    }
                    return cluster.pods().stream().allMatch(pod -> phase(pod).equals("Succeeded"));
                });
    }

    private static String phase(JsonNode pod) {
        return pod.at("/status/phase").asString("");
    }

    /** A new server replays the journal, and knows of no task that still runs. */
    private void checkJournal() throws Exception {
        try (ServerProcess server = begin("first")) {
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
