package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.kubernetes.creation.Images;
import dev.sluice.kubernetes.creation.PodPolicy;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks with images, and a real API server with two nodes of 16 cores. */
@Tag("kubernetes")
@Timeout(240)
final class PodTasksTest {

    private static final PodPolicy POLICY =
            new PodPolicy("tasks", "sluice", Set.of(), true, Duration.ofSeconds(3), Duration.ofSeconds(2));

    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private @Nullable FollowingEngine engine;
    private KubernetesClient client;

    @BeforeEach
    void start() throws Exception {
        engine = new FollowingEngine(2, KubernetesSettings.DEFAULT.withPods(POLICY));
        client = engine.client();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("tasks")
                        .endMetadata()
                        .build())
                .create();
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

    private <T> T of(Function<Application, T> question) {
        return engine().of(partition -> question.apply(partition.existing("etl")));
    }

    /** Submits two tasks, and one that follows them. */
    private void submit(TaskCommand command) throws Exception {
        engine().handle(new Command.SubmitApplication(
                "default",
                Images.application(
                                "etl",
                                Images.task("load", 2, command),
                                Images.task("merge", 0, command).withAfter(Map.of("load", TaskCondition.SUCCEEDED)))
                        .withQueue("root.default")));
    }

    private List<Pod> pods() {
        return client.pods().inNamespace("tasks").list().getItems();
    }

    private List<String> running() {
        return pods().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private void awaitRunning(int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> running().size() == count);
    }

    private void finish(String name) {
        client.pods().inNamespace("tasks").withName(name).edit(pod -> {
            pod.getMetadata().getAnnotations().put("test-cluster/duration", "0s");
            return pod;
        });
    }

    private void awaitTasks(Function<Application, Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(() -> of(condition));
    }

    @Test
    void tasks_runInTheirOrder_andTheirPodsAreRemoved() throws Exception {
        submit(Images.command("", ""));
        awaitRunning(2);
        running().forEach(this::finish);
        awaitTasks(etl -> etl.succeeded() == 2);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> running().stream().anyMatch(name -> name.startsWith("etl-merge-1-")));
        running().forEach(this::finish);
        awaitTasks(etl -> etl.state() == ApplicationState.COMPLETED);
        await().atMost(Duration.ofSeconds(60)).until(() -> pods().isEmpty());
    }

    @Test
    void nothingRunsTwice_whenTheServerIsAway() throws Exception {
        submit(Images.command("", ""));
        awaitRunning(2);
        engine().stop();
        String deleted = running().get(0);
        String finished = running().get(1);
        client.pods().inNamespace("tasks").withName(deleted).delete();
        finish(finished);
        await().atMost(Duration.ofSeconds(60)).until(() -> running().isEmpty());
        engine().start();
        awaitRunning(1);
        assertThat(running().get(0)).startsWith("etl-load-").contains("-2-");
        assertThat(of(Application::succeeded)).isOne();
        engine().handle(new Command.CancelApplication("default", "etl", "enough"));
        awaitRunning(0);
        awaitTasks(etl -> etl.state() == ApplicationState.FAILED);
    }

    @Test
    void podDeletedBeforeItsStart_whileTheServerIsAway_isALostRun() throws Exception {
        TaskSpec once =
                Images.task("load", 0, Images.ofImage("test-cluster/missing")).withLostRetries(0);
        submit(Images.application("etl", once));
        await().atMost(Duration.ofSeconds(60)).until(() -> pods().size() == 1);
        engine().stop();
        client.pods().inNamespace("tasks").delete();
        await().atMost(Duration.ofSeconds(60)).until(() -> pods().isEmpty());
        engine().start();
        awaitTasks(etl -> etl.state() == ApplicationState.FAILED);
        assertThat(engine().ends()).containsExactly("load: lost lost; not retried because lostretries is 0");
        assertThat(pods()).isEmpty();
    }

    @Test
    void claimThatWaitsForItsConsumer_isProvisionedForTheNode_beforeThePodIsCreated() throws Exception {
        createLateClaim();
        submit(
                Images.application(
                        "etl",
                        Images.task(
                                "load",
                                0,
                                Images.command(
                                        "",
                                        "{\"volumes\": [{\"name\": \"v\", \"persistentVolumeClaim\": {\"claimName\": \"data\"}}]}"))));
        await().atMost(Duration.ofSeconds(60)).until(() -> selectedNode() != null);
        assertThat(engine().obstacles("etl")).containsExactly("waits for volume claims data");
        assertThat(pods()).isEmpty();
        // what a provisioner does that cannot serve the node
        client.persistentVolumeClaims().inNamespace("tasks").withName("data").edit(claim -> {
            claim.getMetadata().getAnnotations().remove(SELECTED_NODE);
            return claim;
        });
        await().atMost(Duration.ofSeconds(60))
                .until(() -> engine().obstacles("etl").stream()
                        .anyMatch(reason ->
                                reason.matches(".*cannot be provisioned for node node-[01]: its events say why")));
        await().atMost(Duration.ofSeconds(60)).until(() -> selectedNode() != null);
        String node = selectedNode();
        bindLateClaim();
        awaitRunning("etl-load-", 1);
        assertThat(pods().get(0).getSpec().getNodeName()).isEqualTo(node);
        assertThat(engine().obstacles("etl")).isEmpty();
    }

    private @Nullable String selectedNode() {
        Map<String, String> annotations = client.persistentVolumeClaims()
                .inNamespace("tasks")
                .withName("data")
                .get()
                .getMetadata()
                .getAnnotations();
        return annotations == null ? null : annotations.get(SELECTED_NODE);
    }

    private void createLateClaim() {
        client.resource("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: late}
                provisioner: example.org/late
                volumeBindingMode: WaitForFirstConsumer
                """).create();
        client.resource("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: tasks}
                spec: {storageClassName: late, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """).create();
    }

    /** What provisioner and volume controller do. */
    private void bindLateClaim() {
        client.resource("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: volume}
                spec:
                  storageClassName: late
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Gi}
                  claimRef: {namespace: tasks, name: data}
                  hostPath: {path: /data}
                """).create();
        client.persistentVolumeClaims().inNamespace("tasks").withName("data").edit(claim -> {
            claim.getSpec().setVolumeName("volume");
            claim.getMetadata().getAnnotations().put("pv.kubernetes.io/bind-completed", "yes");
            return claim;
        });
    }

    @Test
    void podOfARunThatIsNotKnown_isDeleted() throws Exception {
        submit(Images.command("", ""));
        awaitRunning(2);
        engine().stop();
        engine().scheduler()
                .handle(
                        new Command.ReportTaskLost(Objects.requireNonNull(
                                        engine().scheduler().state().partition("default"))
                                .existing("etl")
                                .groups()
                                .get(0)
                                .placed()
                                .get(0)
                                .run()),
                        Instant.now());
        engine().start();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> running().size() == 2 && running().stream().anyMatch(name -> name.contains("-2-")));
    }

    private void submit(ApplicationSpec application) throws Exception {
        engine().handle(new Command.SubmitApplication("default", application.withQueue("root.default")));
    }

    private static TaskSpec task(String name, int count, String cores) {
        return Images.task(name, count, Images.command("", "")).withResources(Resources.parse("vcore", cores));
    }

    private void awaitRunning(String prefix, int count) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> running().stream()
                                .filter(name -> name.startsWith(prefix))
                                .count()
                        == count);
    }

    @Test
    void log_isFollowedWhileThePodRuns_andKeptWhenItHasEnded(@TempDir Path folder) throws Exception {
        engine().stop();
        engine().copyLogsTo(folder);
        engine().start();
        submit(Images.application("etl", task("load", 0, "1")));
        awaitRunning("etl-load-1-", 1);
        engine().api().log("first");
        engine().followLogs("etl");
        awaitLog(folder, "first\n");
        engine().api().log("second");
        awaitLog(folder, "first\nsecond\n");
        engine().api().log("last");
        running().forEach(this::finish);
        awaitTasks(etl -> etl.state() == ApplicationState.COMPLETED);
        awaitLog(folder, "first\nsecond\nlast\n");
        await().atMost(Duration.ofSeconds(60)).until(() -> pods().isEmpty());
        awaitLog(folder, "first\nsecond\nlast\n");
    }

    /** Waits until the only log ends so. */
    private static void awaitLog(Path folder, String expected) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            try (Stream<Path> files = Files.walk(folder)) {
                List<Path> logs = files.filter(Files::isRegularFile).toList();
                assertThat(logs).hasSize(1);
                assertThat(logs.get(0)).content().endsWith(expected);
            }
        });
    }

    @Test
    void gang_hasAllItsPods_orNone() throws Exception {
        submit(Images.application("other", task("t", 0, "1")));
        awaitRunning("other-t-1-", 1);
        submit(Images.application("etl", task("worker", 4, "8")).withGang(Gang.of(Map.of("worker", 4))));
        assertThat(of(Application::placed)).isZero();
        running().forEach(this::finish);
        awaitRunning("etl-worker-", 4);
        assertThat(engine().client()
                        .pods()
                        .inNamespace("tasks")
                        .withLabel("sluice.dev/application", "etl")
                        .list()
                        .getItems())
                .hasSize(4);
    }

    @Test
    void gangMember_whosePodCannotStart_showsWhy_runsAgain_andFails() throws Exception {
        TaskSpec driver = Images.task("driver", 0, Images.ofImage("test-cluster/missing"));
        submit(Images.application("etl", task("worker", 2, "8"), driver.withAttempts(1, null))
                .withGang(Gang.of(Map.of("worker", 2, "driver", 1))));
        awaitRunning("etl-worker-", 2);
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> engine().obstacles("etl"),
                        List.of("ImagePullBackOff: Back-off pulling image" + " \"test-cluster/missing\"")::equals);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> pods().stream()
                        .anyMatch(pod -> pod.getMetadata().getName().startsWith("etl-driver-2-")));
        awaitTasks(etl -> etl.failed() == 1);
        assertThat(of(Application::placed)).as("the workers run on").isEqualTo(2);
        assertThat(engine().obstacles("etl")).isEmpty();
    }

    @Test
    void timeout_deletesThePod_andTheTaskSaysSo() throws Exception {
        submit(Images.application("etl", task("load", 0, "1").withAttempts(0, Duration.ofSeconds(1))));
        awaitTasks(etl -> etl.failed() == 1);
        assertThat(engine().ends()).containsExactly("load: timed-out");
        await().atMost(Duration.ofSeconds(60)).until(() -> pods().isEmpty());
    }

    @Test
    void victim_isEvicted_andRunsAgain() throws Exception {
        engine().handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.of(
                "default",
                QueueConfiguration.parent(
                        "root",
                        QueueConfiguration.leaf("default")
                                .withProperties(QueueProperties.DEFAULTS.withPreemption(PreemptionProperties.DEFAULTS
                                        .withByPriority(true)
                                        .withDelay(Duration.ofSeconds(1)))))))));
        submit(Images.application("etl", task("load", 2, "16")));
        awaitRunning("etl-load-", 2);
        submit(Images.application("urgent", task("t", 0, "16").withPriority(10)));
        awaitRunning("urgent-t-1-", 1);
        awaitRunning("etl-load-", 1);
        assertThat(of(Application::stopped)).isZero();
        assertThat(of(Application::unallocated)).isOne();
        running().stream().filter(name -> name.startsWith("urgent")).forEach(this::finish);
        awaitRunning("etl-load-", 2);
        assertThat(running()).anyMatch(name -> name.matches("etl-load-[01]-2-.*"));
    }

    @Test
    void failedPod_runsAgain_asRetriesSay() throws Exception {
        submit(Images.application("etl", task("load", 0, "1").withAttempts(1, null)));
        awaitRunning("etl-load-1-", 1);
        running().forEach(this::fail);
        awaitRunning("etl-load-2-", 1);
        running().forEach(this::fail);
        awaitTasks(etl -> etl.state() == ApplicationState.FAILED);
        assertThat(engine().ends())
                .containsExactly(
                        "load: failed container task: exit code 3", "load: failed container task: exit code 3");
    }

    private void fail(String name) {
        client.pods().inNamespace("tasks").withName(name).editStatus(pod -> {
            pod.getStatus().setPhase("Failed");
            pod.getStatus()
                    .getContainerStatuses()
                    .forEach(container -> container.setState(new ContainerStateBuilder()
                            .withNewTerminated()
                            .withExitCode(3)
                            .endTerminated()
                            .build()));
            return pod;
        });
    }

    @Test
    void heldApplication_hasNoFurtherPods() throws Exception {
        submit(Images.command("", ""));
        awaitRunning(2);
        engine().handle(new Command.HoldApplication("default", "etl"));
        running().forEach(this::finish);
        awaitTasks(etl -> etl.succeeded() == 2);
        assertThat(of(Application::placed)).isZero();
        engine().handle(new Command.ReleaseApplication("default", "etl"));
        awaitRunning("etl-merge-1-", 1);
    }

    @Test
    void podThatTheApiServerRefuses_failsWithItsReason() throws Exception {
        submit(Images.command("{\"envFromm\": []}", ""));
        awaitTasks(etl -> etl.failed() == 2);
        assertThat(pods()).isEmpty();
    }
}
