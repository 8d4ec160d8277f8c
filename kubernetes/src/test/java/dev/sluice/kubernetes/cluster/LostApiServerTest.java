package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.kubernetes.request.ApiServerContact;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An engine that reaches a real API server through a proxy, which is cut while the cluster of two nodes of 16 cores
 * changes. Pods request 8 cores.
 */
@Tag("kubernetes")
@Timeout(900)
final class LostApiServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Longer than bindings are repeated before they fail. */
    private static final Duration AWAY = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private @Nullable FollowingEngine started;
    private FollowingEngine engine;
    private FaultyProxy proxy;
    private KubernetesClient client;
    private Path hold;
    private Path audit;

    @BeforeEach
    void start() throws Exception {
        hold = folder.resolve("hold");
        audit = folder.resolve("audit");
        engine = new FollowingEngine(
                2, KubernetesSettings.DEFAULT, "--restart", hold.toString(), "--audit", audit.toString());
        started = engine;
        client = engine.client();
        proxy = new FaultyProxy(engine.api().address());
        ApiServerContact contact = new ApiServerContact(InstantSource.system());
        engine.start(engine.api().clientThrough(proxy.port(), contact), contact);
    }

    @AfterEach
    void end() throws Exception {
        if (started != null) {
            started.close();
            proxy.close();
        }
    }

    private void create(String application, String... names) {
        for (String name : names) {
            client.resource(Manifests.pod("""
                            metadata: {name: %s, namespace: default, uid: "", labels: {applicationId: %s}}
                            spec:
                              schedulerName: sluice
                              terminationGracePeriodSeconds: 0
                              containers: [{name: c, image: none, resources: {requests: {cpu: 8}}}]
                            """.formatted(name, application))).create();
        }
    }

    private @Nullable Pod pod(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private void awaitPhase(String phase, String... names) {
        for (String name : names) {
            await(name + " is " + phase).atMost(PATIENCE).until(() -> {
                Pod pod = pod(name);
                return pod != null && phase.equals(pod.getStatus().getPhase());
            });
        }
    }

    private void awaitJob(String what, String application, Predicate<Application> condition) {
        await(what)
                .atMost(PATIENCE)
                .until(() -> engine.of(partition ->
                        partition.application(application) != null && condition.test(partition.existing(application))));
    }

    private void finish(String name) {
        client.pods().inNamespace("default").withName(name).edit(pod -> {
            pod.getMetadata().setAnnotations(Map.of("test-cluster/duration", "0s"));
            return pod;
        });
        awaitPhase("Succeeded", name);
    }

    private void delete(String name) {
        client.pods().inNamespace("default").withName(name).withGracePeriod(0).delete();
        await().atMost(PATIENCE).until(() -> pod(name) == null);
    }

    /** Returns the nodes of pods that have not ended by their names. */
    private Map<String, String> bound() {
        Map<String, String> nodes = new TreeMap<>();
        for (Pod pod : client.pods().inNamespace("default").list().getItems()) {
            if (pod.getSpec().getNodeName() != null
                    && "Running".equals(pod.getStatus().getPhase())) {
                nodes.put(pod.getMetadata().getName(), pod.getSpec().getNodeName());
            }
        }
        return nodes;
    }

    /** Checks that each pod was bound once, as the API server has recorded. */
    private void assertBoundOnce(String... names) throws Exception {
        List<String> lines = Files.readAllLines(audit);
        for (String name : names) {
            assertThat(lines)
                    .as("successful bindings of " + name)
                    .filteredOn(line -> line.contains("/pods/" + name + "/binding\"") && line.contains("\"code\":201"))
                    .hasSize(1);
        }
    }

    /** Returns the names of the pods whose success is known. */
    private List<String> succeeded() {
        return engine.ends().stream()
                .filter(end -> end.endsWith(": succeeded"))
                .map(end -> end.substring(0, end.indexOf('.')))
                .sorted()
                .toList();
    }

    private void awaitApiServer() {
        await("the API server is back").atMost(PATIENCE).until(() -> {
            try {
                return "ok".equals(client.raw("/readyz"));
            } catch (KubernetesClientException e) {
                return false;
            }
        });
    }

    private String watchFrom(String version) {
        try {
            return client.raw("/api/v1/pods?watch=true&timeoutSeconds=1&resourceVersion=" + version);
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void watches_whoseHistoryIsCompacted_areListedAnew() throws Exception {
        create("job", "runs", "ends", "goes", "stays");
        awaitPhase("Running", "runs", "ends", "goes", "stays");
        await().atMost(PATIENCE).until(() -> engine.allocated().equals(bound()));
        String before = client.pods().inAnyNamespace().list().getMetadata().getResourceVersion();

        proxy.cut();
        await().atMost(PATIENCE).until(() -> engine.problem() != null);
        assertThat(engine.problem()).startsWith("the API server has not answered since ");
        finish("ends");
        delete("goes");
        create("job", "next", "other", "waits");
        engine.api().killApiServer();
        awaitApiServer();
        engine.api().compact();
        assertThat(watchFrom(before)).as("the history is gone").contains("too old resource version");
        proxy.restore();

        awaitJob("the end of a pod is known", "job", job -> job.succeeded() == 1);
        awaitPhase("Running", "next", "other");
        await().atMost(PATIENCE).until(() -> engine.allocated().equals(bound()));
        assertThat(engine.allocated()).containsOnlyKeys("runs", "stays", "next", "other");
        assertThat(engine.problem()).isNull();
        assertBoundOnce("runs", "ends", "goes", "stays", "next", "other");
    }

    @Test
    void bindings_whoseAnswersAreLost_areSettledWhenTheApiServerIsBack() throws Exception {
        loseAnswersOfBindings(AWAY);
    }

    @Test
    @Tag("long")
    void bindings_whoseAnswersAreLost_areSettledAfterFiveMinutes() throws Exception {
        loseAnswersOfBindings(Duration.ofMinutes(5));
    }

    private void loseAnswersOfBindings(Duration away) throws Exception {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("extra")
                        .endMetadata()
                        .withNewSpec()
                        .withUnschedulable(true)
                        .endSpec()
                        .build())
                .create();
        create("first", "runs", "ends");
        awaitPhase("Running", "runs", "ends");
        create("second", "a", "b", "c");
        awaitPhase("Running", "a", "b");
        awaitJob("the third one waits", "second", job -> job.placed() == 2 && job.tasks() == 3);
        engine.handle(new Command.HoldApplication("default", "second"));
        delete("a");
        delete("ends");
        create("second", "d");
        awaitJob("all are known", "second", job -> job.tasks() == 4 && job.placed() == 1);

        proxy.dropAnswers();
        engine.handle(new Command.ReleaseApplication("default", "second"));
        awaitPhase("Running", "c", "d");
        proxy.cut();
        Instant since = Instant.now();
        Files.createFile(hold);
        engine.api().killApiServer();
        await("bindings were repeated and have failed")
                .atMost(PATIENCE.plus(away))
                .until(() -> engine.problem() != null && Instant.now().isAfter(since.plus(away)));
        assertThat(engine.allocated()).containsKeys("b", "c", "d", "runs");
        Files.delete(hold);
        awaitApiServer();
        delete("b");
        finish("runs");
        client.nodes().withName("extra").delete();
        create("first", "late");
        proxy.restore();

        await("a removed node is gone")
                .atMost(PATIENCE)
                .until(() -> engine.of(partition -> partition.node("extra") == null));
        awaitJob("the end of a pod is known", "first", job -> job.succeeded() == 1);
        awaitPhase("Running", "late");
        await().atMost(PATIENCE).until(() -> engine.allocated().equals(bound()));
        assertThat(engine.allocated()).containsOnlyKeys("c", "d", "late");
        finish("c");
        finish("d");
        finish("late");
        await("all have ended and hold nothing")
                .atMost(PATIENCE)
                .until(() -> succeeded().equals(List.of("c", "d", "late", "runs"))
                        && engine.allocated().isEmpty());
        assertBoundOnce("runs", "ends", "a", "b", "c", "d", "late");
    }
}
