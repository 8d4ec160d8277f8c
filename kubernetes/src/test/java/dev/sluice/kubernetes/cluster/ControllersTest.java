package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An engine that follows a real API server with two nodes of 16 cores, together with the controllers of Kubernetes that
 * count disruptions and bind volumes.
 */
@Tag("kubernetes")
@Timeout(240)
final class ControllersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";

    @TempDir
    private Path folder;

    private @Nullable FollowingEngine engine;
    private KubernetesClient client;
    private Path audit;

    @BeforeEach
    void start() throws Exception {
        audit = folder.resolve("audit");
        FollowingEngine started =
                new FollowingEngine(2, KubernetesSettings.DEFAULT, "--controllers", "--audit", audit.toString());
        engine = started;
        client = started.client();
        await("pods are admitted")
                .atMost(PATIENCE)
                .until(() -> client.serviceAccounts()
                                .inNamespace("default")
                                .withName("default")
                                .get()
                        != null);
        client.resource("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: sluice-config, namespace: default}
                data:
                  queues.yaml: |
                    partitions:
                      - name: default
                        placementrules: [{name: tag, value: namespace, create: true}]
                        queues:
                          - name: root
                            properties: {preemption.priority: enabled, preemption.delay: 1s}
                """).create();
        started.start();
    }

    @AfterEach
    void end() throws IOException {
        if (engine != null) {
            engine.close();
        }
    }

    private void create(String name, int cores, String labels, String more) {
        client.resource(Manifests.pod("""
                        metadata: {name: %s, namespace: default, uid: "", labels: {%s}}
                        spec:
                          schedulerName: sluice
                          terminationGracePeriodSeconds: 0
                          containers: [{name: c, image: none, resources: {requests: {cpu: %d}}}]
                          %s
                        """.formatted(name, labels, cores, more))).create();
    }

    private @Nullable Pod pod(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private Pod awaitPod(String what, String name, Predicate<Pod> condition) {
        return Objects.requireNonNull(
                await(what).atMost(PATIENCE).until(() -> pod(name), pod -> pod != null && condition.test(pod)));
    }

    private Pod awaitRunning(String name) {
        return awaitPod(
                name + " runs", name, pod -> "Running".equals(pod.getStatus().getPhase()));
    }

    private static String message(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(each -> each.getType().equals("PodScheduled"))
                .map(PodCondition::getMessage)
                .findFirst()
                .orElse("");
    }

    private void awaitDisruptions(int allowed) {
        await("the controller has counted").atMost(PATIENCE).until(() -> {
            PodDisruptionBudget budget = client.policy()
                    .v1()
                    .podDisruptionBudget()
                    .inNamespace("default")
                    .withName("web")
                    .get();
            return budget.getStatus() != null
                    && Objects.equals(budget.getStatus().getExpectedPods(), allowed + 1)
                    && Objects.equals(budget.getStatus().getDisruptionsAllowed(), allowed);
        });
    }

    /** Returns the positions of answers in the audit log, in the order in which the API server gave them. */
    private List<Integer> answers(String request, int code) throws IOException {
        List<String> lines = Files.readAllLines(audit);
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).contains(request) && lines.get(i).contains("\"code\":" + code))
                .boxed()
                .toList();
    }

    @Test
    void victim_isEvictedWhenItsBudgetAllows_andThenTheBeneficiaryIsBound() throws Exception {
        client.resource("""
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: urgent}
                value: 1000
                """).create();
        create("other", 12, "applicationId: other", "priorityClassName: urgent");
        String otherNode = awaitRunning("other").getSpec().getNodeName();
        create("victim", 12, "applicationId: site, app: web", "");
        String node = awaitRunning("victim").getSpec().getNodeName();
        assertThat(node).isNotEqualTo(otherNode);
        client.resource("""
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: default}
                spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
                """).create();
        awaitDisruptions(0);

        create("urgent", 8, "applicationId: urgent", "priorityClassName: urgent");
        Pod waiting = awaitPod(
                "the pod is nominated",
                "urgent",
                pod -> node.equals(pod.getStatus().getNominatedNodeName())
                        && message(pod).contains("starts when 1 task preempted there has ended"));
        assertThat(waiting.getSpec().getNodeName()).isNull();
        await("the eviction is refused")
                .atMost(PATIENCE)
                .until(() -> !answers("/pods/victim/eviction\"", 429).isEmpty());
        awaitPod(
                "the pod names the budget",
                "urgent",
                pod -> message(pod).endsWith("; waiting for PodDisruptionBudget default/web"));
        Pod victim = Objects.requireNonNull(pod("victim"));
        assertThat(victim.getMetadata().getDeletionTimestamp()).isNull();
        assertThat(victim.getStatus().getConditions())
                .filteredOn(each -> each.getType().equals("DisruptionTarget"))
                .extracting(PodCondition::getReason)
                .containsExactly("PreemptionByScheduler");

        create("spare", 1, "applicationId: site, app: web", "");
        awaitRunning("spare");
        assertThat(awaitRunning("urgent").getSpec().getNodeName()).isEqualTo(node);
        assertThat(pod("victim")).isNull();
        List<Integer> evictions = answers("/pods/victim/eviction\"", 201);
        List<Integer> bindings = answers("/pods/urgent/binding\"", 201);
        assertThat(evictions).hasSize(1);
        assertThat(bindings).hasSize(1);
        assertThat(bindings.get(0)).isGreaterThan(evictions.get(0));
        assertThat(Objects.requireNonNull(engine).allocated()).containsOnlyKeys("other", "spare", "urgent");
    }

    private PersistentVolumeClaim claim() {
        return client.persistentVolumeClaims()
                .inNamespace("default")
                .withName("data")
                .get();
    }

    private @Nullable String annotation(String name) {
        return claim().getMetadata().getAnnotations() == null
                ? null
                : claim().getMetadata().getAnnotations().get(name);
    }

    /** The test is the provisioner, and the controller of volumes binds what it creates. */
    @Test
    void claim_isProvisionedForTheNode_boundByItsController_andHoldsLaterPodsThere() {
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
                metadata: {name: data, namespace: default}
                spec: {storageClassName: late, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """).create();
        String volumes = "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]";
        create("first", 8, "applicationId: first", volumes);
        await("the controller asks the provisioner")
                .atMost(PATIENCE)
                .until(() -> annotation(SELECTED_NODE) != null && annotation(PROVISIONER) != null);
        String node = Objects.requireNonNull(annotation(SELECTED_NODE));
        assertThat(annotation(PROVISIONER)).isEqualTo("example.org/late");
        assertThat(Objects.requireNonNull(pod("first")).getSpec().getNodeName())
                .as("the pod is bound after its claim")
                .isNull();

        client.resource("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: volume, annotations: {pv.kubernetes.io/provisioned-by: example.org/late}}
                spec:
                  storageClassName: late
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Gi}
                  claimRef: {namespace: default, name: data, uid: %s}
                  csi: {driver: late.example.org, volumeHandle: volume}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%s]}]
                """.formatted(claim().getMetadata().getUid(), node)).create();
        assertThat(awaitRunning("first").getSpec().getNodeName()).isEqualTo(node);
        assertThat(claim().getStatus().getPhase()).isEqualTo("Bound");
        assertThat(claim().getSpec().getVolumeName()).isEqualTo("volume");

        create("second", 8, "applicationId: second", volumes);
        assertThat(awaitRunning("second").getSpec().getNodeName())
                .as("the node of the volume, although the other one is empty")
                .isEqualTo(node);
    }
}
