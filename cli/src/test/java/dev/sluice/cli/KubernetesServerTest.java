package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged server and a real API server with two nodes of 16 cores, seen with kubectl and sluice. */
@ProgramTest
@Tag("kubernetes")
@Timeout(300)
final class KubernetesServerTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private @Nullable ControlPlane started;
    private ControlPlane cluster;
    private @Nullable Process server;

    @BeforeEach
    void start() throws IOException {
        cluster = new ControlPlane(Path.of(kubeconfig()), 2);
        started = cluster;
        startServer();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
        if (started != null) {
            started.close();
        }
    }

    private String kubeconfig() {
        return directory.resolve("kubeconfig").toString();
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    private void startServer() throws IOException {
        Path log = directory.resolve("log");
        Files.deleteIfExists(log);
        server = PackagedProgram.process(
                        "serve",
                        "--kubernetes",
                        "--kubeconfig",
                        kubeconfig(),
                        "--task-namespace",
                        "default",
                        "--task-service-account",
                        "trainer",
                        "--data",
                        data(),
                        "--port",
                        "0")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(PATIENCE).until(() -> Files.readString(log).contains("listening on "));
    }

    private String sluice(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", "unix:" + data() + "/sluice.sock"));
        return output(PackagedProgram.process(all.toArray(String[]::new)));
    }

    private String kubectl(String... arguments) throws IOException, InterruptedException {
        return cluster.kubectl(arguments);
    }

    private static String output(ProcessBuilder command) throws IOException, InterruptedException {
        Process process = command.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return text;
    }

    private void create(String... names) throws IOException, InterruptedException {
        StringBuilder manifests = new StringBuilder();
        for (String name : names) {
            manifests.append("""
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: %s, labels: {applicationId: job}}
                    spec:
                      schedulerName: sluice
                      terminationGracePeriodSeconds: 0
                      containers: [{name: c, image: none, resources: {requests: {cpu: 8}}}]
                    """.formatted(name));
        }
        Path file = directory.resolve("pods.yaml");
        Files.writeString(file, manifests);
        assertThat(kubectl("apply", "-f", file.toString())).contains("created");
    }

    private String jobs(String text) throws IOException {
        return Files.writeString(directory.resolve("jobs.yaml"), text).toString();
    }

    private void finishPods() throws IOException, InterruptedException {
        assertThat(kubectl("annotate", "pods", "--all", "--overwrite", "test-cluster/duration=0s"))
                .contains("annotated");
    }

    /** The example of the README, with images. */
    @Test
    void jobFile_runsAsPods_alsoWhileTheServerIsAway() throws Exception {
        String jobs = jobs("""
                name: parts
                tasks:
                  - {id: fetch, image: curlimages/curl, count: 4, command: "curl -sO https://example.org/part-$SLUICE_TASK_INDEX"}
                  - {id: merge, image: busybox, command: "cat part-* > all", after: {fetch: succeeded}, retries: 2, timeout: 10m}
                """);
        assertThat(sluice("submit", jobs, "--id", "parts")).contains("parts");
        await().atMost(PATIENCE).until(() -> running() == 4);
        assertThat(kubectl("get", "pods", "-o", "yaml"))
                .contains("image: curlimages/curl", "- curl -sO https://example.org/part-$$SLUICE_TASK_INDEX");
        assertThat(sluice("why", "parts")).contains("depends on fetch, which has not succeeded yet");

        Objects.requireNonNull(server).destroyForcibly().waitFor();
        finishPods();
        await().atMost(PATIENCE).until(() -> running() == 0);
        startServer();
        await().atMost(PATIENCE).until(() -> running() == 1);
        assertThat(sluice("tasks", "parts")).contains("fetch-0", "succeeded", "running");

        String merge = kubectl("get", "pods", "-l", "sluice.dev/task=merge", "-o", "name");
        assertThat(merge).startsWith("pod/parts-merge-1-");
        assertThat(kubectl("delete", merge.strip())).contains("deleted");
        await().atMost(PATIENCE)
                .until(() -> kubectl("get", "pods", "-l", "sluice.dev/task=merge", "-o", "name")
                        .startsWith("pod/parts-merge-2-"));
        await().atMost(PATIENCE).until(() -> running() == 1);
        finishPods();
        assertThat(sluice("wait", "parts", "--timeout", "60s"))
                .contains("parts")
                .contains("Completed");
        assertThat(sluice("history")).contains("parts").contains("Completed");
    }

    @Test
    void fieldsOfPods_reachTheApiServer_andUsageCountsThem() throws Exception {
        kubectl("create", "serviceaccount", "trainer");
        kubectl("create", "secret", "generic", "credentials", "--from-literal=TOKEN=word");
        kubectl("create", "configmap", "settings", "--from-literal=LEVEL=high");
        kubectl("label", "node", "node-1", "disk=ssd");
        kubectl("taint", "node", "node-1", "dedicated=training:NoSchedule");
        String job = jobs("""
                name: train
                tasks:
                  - id: fit
                    image: busybox
                    command: fit
                    resources: {vcore: 2}
                    nodeSelector: {disk: ssd}
                    tolerations: [{key: dedicated, value: training, effect: NoSchedule}]
                    container:
                      envFrom: [{secretRef: {name: credentials}}, {configMapRef: {name: settings}}]
                      volumeMounts: [{name: keys, mountPath: /keys, readOnly: true}, {name: files, mountPath: /files}]
                    pod:
                      serviceAccountName: trainer
                      volumes: [{name: keys, secret: {secretName: credentials}}, {name: files, configMap: {name: settings}}]
                """);
        assertThat(sluice("submit", job, "--id", "train")).contains("train");
        await().atMost(PATIENCE).until(() -> running() == 1);
        JsonNode spec = JSON.readTree(kubectl("get", "pods", "-o", "json")).at("/items/0/spec");
        assertThat(spec.at("/containers/0/envFrom")).isEqualTo(JSON.readTree("""
                        [{"secretRef": {"name": "credentials"}}, {"configMapRef": {"name": "settings"}}]"""));
        assertThat(spec.at("/containers/0/volumeMounts")).containsOnlyOnceElementsOf(JSON.readTree("""
                        [{"name": "keys", "mountPath": "/keys", "readOnly": true}, {"name": "files", "mountPath": "/files"}]"""));
        assertThat(spec.get("volumes")).containsOnlyOnceElementsOf(JSON.readTree("""
                        [{"name": "keys", "secret": {"secretName": "credentials", "defaultMode": 420}},
                         {"name": "files", "configMap": {"name": "settings", "defaultMode": 420}}]"""));
        assertThat(spec.get("tolerations")).contains(JSON.readTree("""
                        {"key": "dedicated", "operator": "Equal", "value": "training", "effect": "NoSchedule"}"""));
        assertThat(spec.get("serviceAccountName").asString()).isEqualTo("trainer");
        assertThat(spec.at("/containers/0/resources/requests/cpu").asString()).isEqualTo("2");
        assertThat(spec.get("nodeName").asString())
                .as("the node with the label")
                .isEqualTo("node-1");

        finishPods();
        assertThat(sluice("wait", "train", "--timeout", "60s")).contains("Completed");
        JsonNode usage = JSON.readTree(sluice("usage", "--by", "application,node", "-o", "json"))
                .at("/items/0");
        assertThat(usage.get("application").asString() + " on "
                        + usage.get("node").asString())
                .isEqualTo("train on node-1");
        assertThat(usage.get("runs").asInt()).isOne();
        double hours = usage.get("runHours").asDouble();
        assertThat(hours).isPositive();
        assertThat(usage.at("/resourceHours/vcore").asDouble()).isCloseTo(2 * hours, within(1e-9));
    }

    @Test
    void tasksThatCannotBePods_areRefused_andCancelledOnesLoseTheirs() throws Exception {
        assertThat(sluice("submit", jobs("tasks: [{id: t, command: make}]")))
                .contains("task t has no image, and here tasks are pods: add image, such as image: python:3.13");
        assertThat(sluice("submit", jobs("tasks: [{id: t, image: x, pod: {hostNetwork: true}}]")))
                .contains("task t: pod.hostNetwork: is not allowed here");
        assertThat(sluice("submit", jobs("tasks: [{id: t, image: x, count: 2}]"), "--id", "long"))
                .contains("long");
        await().atMost(PATIENCE).until(() -> running() == 2);
        assertThat(sluice("cancel", "long", "--yes")).contains("cancelled");
        await().atMost(PATIENCE)
                .until(() -> kubectl("get", "pods", "-o", "name").isBlank());
        assertThat(sluice("get", "long")).contains("Failed: cancelled by");
    }

    private long running() throws IOException, InterruptedException {
        return kubectl("get", "pods", "--no-headers")
                .lines()
                .filter(line -> line.contains(" Running "))
                .count();
    }

    @Test
    void pods_runWhereThereIsRoom_alsoAfterTheServerWasKilled() throws Exception {
        create("p1", "p2", "p3", "p4", "p5", "p6");
        await().atMost(PATIENCE).until(() -> running() == 4);
        assertThat(sluice("why", "job")).contains("2 tasks wait: 0 of 2 nodes fit: 2 insufficient vcore");
        assertThat(sluice("nodes")).containsPattern("node-0 +ready .*100.0 %.* Kubernetes ");
        await().atMost(PATIENCE)
                .until(() -> kubectl("get", "pods", "-o", "yaml").contains("0 of 2 nodes fit: 2 insufficient vcore"));

        Objects.requireNonNull(server).destroyForcibly().waitFor();
        assertThat(kubectl("delete", "pod", "p1")).contains("deleted");
        create("p7");
        startServer();
        await().atMost(PATIENCE).until(() -> running() == 4);
        await().atMost(PATIENCE).until(() -> sluice("why", "job").contains("2 tasks wait"));

        assertThat(sluice("cancel", "job", "--yes")).contains("cancelled");
        await().atMost(PATIENCE).until(() -> running() == 0);
        await().atMost(PATIENCE)
                .until(() -> kubectl("get", "pods", "-o", "yaml").contains("its task has ended"));
    }
}
