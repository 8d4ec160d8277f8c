package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine that follows a real API server with two nodes of 16 cores. */
@Tag("kubernetes")
@Timeout(240)
final class KubernetesClusterTest {

    private @Nullable FollowingEngine engine;
    private KubernetesClient client;
    private int placeholderTimeout = 900;

    @BeforeEach
    void start() throws Exception {
        engine = new FollowingEngine(2, KubernetesSettings.DEFAULT);
        client = engine.client();
        engine.start();
    }

    @AfterEach
    void end() throws IOException {
        if (engine != null) {
            engine.close();
        }
    }

    private FollowingEngine engine() {
        return Objects.requireNonNull(engine);
    }

    private <T> T of(Function<Partition, T> question) {
        return engine().of(question);
    }

    private void create(String name, String cores, String annotations) {
        client.resource(Manifests.pod("""
                        metadata: {name: %s, namespace: default, uid: "", labels: {applicationId: job}, annotations: {%s}}
                        spec:
                          schedulerName: sluice
                          terminationGracePeriodSeconds: 0
                          containers: [{name: c, image: none, resources: {requests: {cpu: %s}}}]
                        """.formatted(name, annotations, cores))).create();
    }

    private @Nullable Pod pod(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private void awaitPhase(String name, String phase) {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            Pod pod = pod(name);
            return pod != null && phase.equals(pod.getStatus().getPhase());
        });
    }

    private void awaitTasks(Function<Application, Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(() -> of(partition -> condition.apply(partition.existing("job"))));
    }

    @Test
    void pods_runAndEnd_andTheNextFollows() {
        create("first", "16", "test-cluster/duration: 1s");
        create("second", "16", "test-cluster/duration: 1s");
        create("third", "16", "test-cluster/duration: 1s");
        awaitPhase("first", "Succeeded");
        awaitPhase("second", "Succeeded");
        awaitPhase("third", "Succeeded");
        awaitTasks(job -> job.succeeded() == 3);
    }

    @Test
    void cancelledApplication_losesItsPods() throws Exception {
        create("first", "1", "");
        awaitPhase("first", "Running");
        awaitTasks(job -> job.group("first."
                        + Objects.requireNonNull(pod("first"))
                                .getMetadata()
                                .getUid()
                                .substring(0, 8))
                != null);
        engine().handle(new Command.CancelApplication("default", "job", "enough"));
        await().atMost(Duration.ofSeconds(60)).until(() -> pod("first") == null);
        awaitTasks(job -> job.state().isEnded());
    }

    @Test
    void restart_findsWhatRanAndWhatEnded() throws Exception {
        create("runs", "8", "");
        create("ends", "8", "test-cluster/duration: 2s");
        awaitPhase("runs", "Running");
        awaitPhase("ends", "Running");
        engine().stop();
        create("comes", "8", "");
        awaitPhase("ends", "Succeeded");
        engine().start();
        awaitPhase("comes", "Running");
        awaitTasks(job -> job.succeeded() == 1);
        int tasks = of(partition ->
                partition.nodes().stream().mapToInt(node -> node.tasks().size()).sum());
        assertThat(tasks).isEqualTo(2);
    }

    @Test
    void podThatSomebodyDeletes_givesItsPlaceToAnother() {
        create("first", "16", "");
        create("second", "16", "");
        awaitPhase("first", "Running");
        awaitPhase("second", "Running");
        create("third", "16", "");
        client.pods()
                .inNamespace("default")
                .withName("first")
                .withGracePeriod(0)
                .delete();
        awaitPhase("third", "Running");
    }

    private @Nullable PodCondition condition(String name) {
        Pod pod = pod(name);
        return pod == null
                ? null
                : pod.getStatus().getConditions().stream()
                        .filter(each -> each.getType().equals("PodScheduled"))
                        .findFirst()
                        .orElse(null);
    }

    private void awaitEvent(String reason, String about, String note) {
        awaitEvent("default", reason, about, note);
    }

    private void awaitEvent(String namespace, String reason, String about, String note) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.events().v1().events().inNamespace(namespace).list().getItems().stream()
                        .anyMatch(event -> event.getReason().equals(reason)
                                && event.getRegarding().getName().equals(about)
                                && event.getNote().contains(note)));
    }

    @Test
    void waitingPod_showsWhy_andNoLongerWhenItIsBound() {
        create("first", "16", "");
        create("second", "16", "");
        awaitPhase("first", "Running");
        awaitPhase("second", "Running");
        create("third", "16", "");
        await().atMost(Duration.ofSeconds(60)).until(() -> condition("third") != null);
        PodCondition condition = Objects.requireNonNull(condition("third"));
        assertThat(condition.getStatus()).isEqualTo("False");
        assertThat(condition.getReason()).isEqualTo("Unschedulable");
        assertThat(condition.getMessage()).isEqualTo("0 of 2 nodes fit: 2 insufficient vcore");
        awaitEvent("FailedScheduling", "third", "0 of 2 nodes fit");
        client.pods()
                .inNamespace("default")
                .withName("first")
                .withGracePeriod(0)
                .delete();
        awaitPhase("third", "Running");
        awaitEvent("Scheduled", "third", "assigned default/third to node-");
        assertThat(Objects.requireNonNull(condition("third")).getStatus()).isEqualTo("True");
    }

    @Test
    void refusedPod_saysWhatIsWrong() {
        client.resource(Manifests.pod("""
                        metadata: {name: claims, namespace: default, uid: "", labels: {applicationId: job}}
                        spec:
                          schedulerName: sluice
                          resourceClaims: [{name: gpu, resourceClaimName: gpu}]
                          containers: [{name: c, image: none}]
                        """)).create();
        await().atMost(Duration.ofSeconds(60)).until(() -> condition("claims") != null);
        assertThat(Objects.requireNonNull(condition("claims")).getMessage())
                .startsWith("spec.resourceClaims: dynamic resource allocation is not supported");
        awaitEvent("Refused", "claims", "dynamic resource allocation");
    }

    private boolean hasBatchQueue() {
        return of(partition -> partition.queues().find("root.batch") != null);
    }

    private void configure(String queues) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("sluice-config")
                        .withNamespace("default")
                        .endMetadata()
                        .addToData("queues.yaml", queues)
                        .build())
                .createOr(NonDeletingOperation::update);
    }

    @Test
    void configMap_isAppliedWhenItChanges_andRefusedWhole() {
        configure("""
                partitions:
                  - name: default
                    placementrules: [{name: tag, value: namespace, create: true}]
                    queues: [{name: root, queues: [{name: batch}]}]
                """);
        await().atMost(Duration.ofSeconds(60)).until(this::hasBatchQueue);
        create("first", "1", "");
        awaitPhase("first", "Running");
        String queue = of(partition -> partition.existing("job").queue().path());
        assertThat(queue).isEqualTo("root.default");
        configure("partitions: [{name: default, queues: [{name: root, queues: [{name: batch, maxx: 1}]}]}]");
        awaitEvent("Refused", "sluice-config", "maxx");
        assertThat(hasBatchQueue()).isTrue();
    }

    @Test
    void rejectedPod_isSubmittedAgain_whenTheConfigurationHasAQueueForIt() {
        client.resource(Manifests.pod("""
                        metadata: {name: first, namespace: default, uid: "", labels: {applicationId: job, queue: root.batch}}
                        spec:
                          schedulerName: sluice
                          containers: [{name: c, image: none}]
                        """)).create();
        await().atMost(Duration.ofSeconds(60)).until(() -> condition("first") != null);
        assertThat(Objects.requireNonNull(condition("first")).getMessage()).contains("root.batch");
        configure("partitions: [{name: default, queues: [{name: root, queues: [{name: batch}]}]}]");
        awaitPhase("first", "Running");
    }

    @Test
    void badAnnotationOfNamespace_isAnEventInIt() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("team-a")
                        .addToAnnotations("yunikorn.apache.org/namespace.quota", "much")
                        .endMetadata()
                        .build())
                .create();
        awaitEvent("team-a", "Refused", "team-a", "annotation yunikorn.apache.org/namespace.quota: is not valid");
    }

    private void createMember(String name, String application, String group, String cores, String groups) {
        client.resource(Manifests.pod("""
                        metadata:
                          name: %s
                          namespace: default
                          uid: ""
                          labels: {applicationId: %s}
                          annotations:
                            yunikorn.apache.org/task-group-name: %s
                            yunikorn.apache.org/schedulingPolicyParameters: placeholderTimeoutInSeconds=%d
                            %s
                        spec:
                          schedulerName: sluice
                          terminationGracePeriodSeconds: 0
                          containers: [{name: c, image: none, resources: {requests: {cpu: %s}}}]
                        """.formatted(
                                name,
                                application,
                                group,
                                placeholderTimeout,
                                groups.isEmpty() ? "" : "yunikorn.apache.org/task-groups: '[" + groups + "]'",
                                cores)))
                .create();
    }

    private static String taskGroup(String name, int minMember, int cores) {
        return "{\"name\": \"%s\", \"minMember\": %d, \"minResource\": {\"cpu\": \"%d\"}}"
                .formatted(name, minMember, cores);
    }

    private long running(String application) {
        return client.pods().inNamespace("default").withLabel("applicationId", application).list().getItems().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .count();
    }

    @Test
    void gangs_ofWhichOneFits_startOneAfterTheOther() {
        for (int i = 0; i < 3; i++) {
            createMember("a" + i, "job-a", "worker", "8", taskGroup("worker", 3, 8));
            createMember("b" + i, "job-b", "worker", "8", taskGroup("worker", 3, 8));
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> running("job-a") + running("job-b") == 3);
        String started = running("job-a") == 3 ? "a" : "b";
        String waiting = started.equals("a") ? "b" : "a";
        assertThat(running("job-" + started)).isEqualTo(3);
        await().atMost(Duration.ofSeconds(60)).until(() -> condition(waiting + "0") != null);
        assertThat(Objects.requireNonNull(condition(waiting + "0")).getMessage())
                .startsWith("1 of 3 members of the gang fit");
        for (int i = 0; i < 3; i++) {
            client.pods()
                    .inNamespace("default")
                    .withName(started + i)
                    .withGracePeriod(0)
                    .delete();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> running("job-" + waiting) == 3);
    }

    @Test
    void driver_createsItsExecutorsLater_andAlsoAfterARestartTheyTakeTheirPlaces() throws Exception {
        createMember("driver", "job", "driver", "1", taskGroup("driver", 1, 1) + "," + taskGroup("executor", 3, 8));
        awaitPhase("driver", "Running");
        awaitTasks(job -> Objects.requireNonNull(job.group("executor")).placed().size() == 3);
        createMember("e1", "job", "executor", "8", "");
        awaitPhase("e1", "Running");
        assertThat(Objects.requireNonNull(pod("e1"))
                        .getMetadata()
                        .getAnnotations()
                        .get("sluice.dev/place"))
                .startsWith("executor-0/");
        engine().stop();
        createMember("e2", "job", "executor", "8", "");
        engine().start();
        awaitPhase("e2", "Running");
        createMember("e3", "job", "executor", "8", "");
        awaitPhase("e3", "Running");
        assertThat((long) of(partition -> partition.existing("job").tasks())).isEqualTo(4);
        int tasks = of(partition ->
                partition.nodes().stream().mapToInt(node -> node.tasks().size()).sum());
        assertThat(tasks).isEqualTo(4);
    }

    @Test
    void placeWithoutAPod_isFreedAfterTheTimeout() {
        placeholderTimeout = 3;
        createMember("driver", "job", "driver", "1", taskGroup("driver", 1, 1) + "," + taskGroup("executor", 2, 8));
        awaitPhase("driver", "Running");
        awaitTasks(job -> Objects.requireNonNull(job.group("executor")).stopped() == 2);
        assertThat((int) of(partition -> partition.existing("job").placed())).isEqualTo(1);
    }
}
