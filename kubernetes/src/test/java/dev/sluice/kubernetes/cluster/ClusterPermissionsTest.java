package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.core.command.Command;
import dev.sluice.kubernetes.Chart;
import dev.sluice.kubernetes.TestCluster;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.BindingListener;
import dev.sluice.kubernetes.binding.PodBinder;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.creation.Images;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.lease.LeaseElection;
import dev.sluice.kubernetes.lease.LeaseSettings;
import dev.sluice.kubernetes.request.ApiServerContact;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scheduler with the token and the permissions of the service account of the chart: everything works, no request is
 * forbidden, and no permission is superfluous. The API server's audit log tells which requests were sent.
 */
@Tag("kubernetes")
@Timeout(400)
final class ClusterPermissionsTest {

    private static final String TASKS = "tasks";
    private static final String ACCOUNT = "system:serviceaccount:" + Chart.NAMESPACE + ":sluice";

    private static final String QUEUES = """
            partitions:
              - name: default
                preemption: {enabled: true}
                queues:
                  - name: root
                    queues:
                      - {name: default, properties: {preemption.priority: enabled, preemption.delay: 1s}}
            """;

    @TempDir
    private Path folder;

    private TestCluster api;
    private KubernetesClient admin;
    private KubernetesClient account;
    private LeaseElection election;
    private @Nullable FollowingEngine started;
    private FollowingEngine engine;
    private String manifests = "";

    @BeforeEach
    void start() throws Exception {
        manifests = Chart.render(Chart.REPLICAS + ",tasks.namespace=" + TASKS);
        api = TestCluster.start(1, "--audit", audit().toString());
        admin = api.client();
        for (String namespace : List.of(Chart.NAMESPACE, TASKS)) {
            admin.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }
        Chart.create(admin, manifests);
        configure(QUEUES);
        String token = token();
        account = api.client(token);
        admin.resource(Manifests.pod("""
                        metadata: {name: sluice-0, namespace: %s, uid: ""}
                        spec: {schedulerName: none, containers: [{name: c, image: none}]}
                        """.formatted(Chart.NAMESPACE))).create();
        election = LeaseElection.start(
                kubeconfig(token),
                new LeaseSettings("sluice", Duration.ofSeconds(15), "sluice-0", "sluice-0"),
                () -> {});
        election.elected().get(1, TimeUnit.MINUTES);
        engine = new FollowingEngine(
                new KubernetesSettings(
                        "default", Set.of("sluice"), Chart.NAMESPACE, "sluice-0", 4, PodPolicy.of(TASKS, "sluice")),
                null,
                account);
        engine.copyLogsTo(folder.resolve("logs"));
        engine.start(api.client(token), new ApiServerContact(InstantSource.system()));
        started = engine;
    }

    @AfterEach
    void end() throws IOException {
        if (started != null) {
            started.close();
        }
        if (account != null) {
            election.close();
            account.close();
        }
        if (api != null) {
            admin.close();
            api.close();
        }
    }

    private Path audit() {
        return folder.resolve("audit.jsonl");
    }

    /** Returns a token of the service account, as the kubelet requests it for a pod. */
    private String token() throws IOException {
        String answer = admin.raw(
                "/api/v1/namespaces/" + Chart.NAMESPACE + "/serviceaccounts/sluice/token",
                "POST",
                Map.of(
                        "apiVersion",
                        "authentication.k8s.io/v1",
                        "kind",
                        "TokenRequest",
                        "spec",
                        Map.of("expirationSeconds", 3600)));
        return new ObjectMapper().readTree(answer).at("/status/token").asText();
    }

    /** Writes how the service account reaches the cluster. */
    private Path kubeconfig(String token) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
                users: [{name: u, user: {token: "%s"}}]
                contexts: [{name: c, context: {cluster: c, user: u, namespace: "%s"}}]
                current-context: c
                """.formatted(
                        account.getMasterUrl(), account.getConfiguration().getCaCertFile(), token, Chart.NAMESPACE));
    }

    private void configure(String queues) {
        admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("sluice-config")
                        .withNamespace(Chart.NAMESPACE)
                        .endMetadata()
                        .addToData("queues.yaml", queues)
                        .build())
                .createOr(NonDeletingOperation::update);
    }

    private void create(String name, String more) {
        admin.resource(Manifests.pod("""
                        metadata: {name: %s, namespace: default, uid: "", labels: {applicationId: %s, queue: root.default}}
                        spec:
                          schedulerName: sluice
                          terminationGracePeriodSeconds: 0
                          containers: [{name: c, image: none, resources: {requests: {cpu: 16}}}]
                          %s
                        """.formatted(name, name, more))).create();
    }

    private @Nullable Pod pod(String name) {
        return admin.pods().inNamespace("default").withName(name).get();
    }

    private String phase(String name) {
        Pod pod = pod(name);
        return pod == null ? "" : pod.getStatus().getPhase();
    }

    private @Nullable PodCondition condition(String name, String type) {
        Pod pod = pod(name);
        return pod == null
                ? null
                : pod.getStatus().getConditions().stream()
                        .filter(each -> each.getType().equals(type))
                        .findFirst()
                        .orElse(null);
    }

    private boolean hasEvent(String namespace, String reason, String about) {
        return admin.events().v1().events().inNamespace(namespace).list().getItems().stream()
                .anyMatch(event -> event.getReason().equals(reason)
                        && event.getRegarding().getName().equals(about));
    }

    private static void awaitThat(String what, Callable<Boolean> condition) {
        await().alias(what).atMost(Duration.ofMinutes(2)).until(condition);
    }

    @Test
    void permissions_areThoseThatAreUsed() throws Exception {
        // a pod is bound, another one says why it waits
        create("first", "");
        awaitThat("first runs", () -> phase("first").equals("Running"));
        create("second", "");
        awaitThat("second has a condition", () -> condition("second", "PodScheduled") != null);
        awaitThat("second has an event", () -> hasEvent("default", "FailedScheduling", "second"));

        // a pod with a higher priority takes the place of the first one
        admin.resource(Manifests.priorityClass("urgent", "")).create();
        create("urgent", "priorityClassName: urgent");
        awaitThat("first is evicted", () -> pod("first") == null);
        awaitThat("urgent runs", () -> phase("urgent").equals("Running"));
        assertThat(hasEvent("default", "Preempted", "first")).isTrue();

        // a refused configuration is an event, and the same one again is counted
        configure("queues: none");
        awaitThat("the configuration is refused", () -> hasEvent(Chart.NAMESPACE, "Refused", "sluice-config"));
        configure(QUEUES);
        awaitThat("changes are seen", () -> audited().contains("watch configmaps"));
        configure("queues: none");

        // a binding that has been done already is a conflict, after which the pod is read
        bindAgain("urgent");

        // a cancelled application loses its pod
        engine.handle(new Command.CancelApplication("default", "urgent", "enough"));
        awaitThat("urgent is deleted", () -> pod("urgent") == null);
        awaitThat("second runs", () -> phase("second").equals("Running"));

        engine.handle(new Command.CancelApplication("default", "second", "enough"));
        awaitThat("second is deleted", () -> pod("second") == null);

        // a task with an image is a pod
        engine.handle(new Command.SubmitApplication(
                "default",
                Images.application("etl", Images.task("load", 0, Images.command("", "")))
                        .withQueue("root.default")));
        awaitThat(
                "the pod of the task runs",
                () -> admin.pods().inNamespace(TASKS).list().getItems().stream()
                        .anyMatch(each -> "Running".equals(each.getStatus().getPhase())));
        api.log("loaded");
        engine.followLogs("etl");
        awaitThat("its log is read", () -> audited().contains("get pods/log"));
        engine.handle(new Command.CancelApplication("default", "etl", "enough"));
        awaitThat(
                "it is deleted",
                () -> admin.pods().inNamespace(TASKS).list().getItems().isEmpty());

        // a pod with a claim selects the node for its volume
        createClaim();
        create("volume", "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]");
        awaitThat(
                "the node is selected",
                () -> "node-0"
                        .equals(admin.persistentVolumeClaims()
                                .inNamespace("default")
                                .withName("data")
                                .get()
                                .getMetadata()
                                .getAnnotations()
                                .get("volume.kubernetes.io/selected-node")));

        Set<String> granted = granted();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() ->
                        assertThat(audited()).as("permissions that are used").containsAll(granted));
        assertThat(audited()).as("requests without a permission").isEqualTo(granted);
        assertThat(forbidden()).isEmpty();
    }

    private void bindAgain(String name) {
        PodBinder binder = new PodBinder(account, 1, Backoff.DEFAULT, new BindingListener() {
            @Override
            public void bound(PodRef pod, String node) {}

            @Override
            public void failed(PodRef pod, String node, String reason) {}
        });
        binder.bind(
                new PodRef(
                        "default",
                        name,
                        Objects.requireNonNull(pod(name)).getMetadata().getUid()),
                "node-0");
        awaitThat("the pod is read", () -> audited().contains("get pods"));
        binder.close();
    }

    private void createClaim() {
        Chart.create(admin, """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: late}
                provisioner: example.org/none
                volumeBindingMode: WaitForFirstConsumer
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec:
                  storageClassName: late
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """);
    }

    /** Returns what the roles of the chart permit, as a verb and a resource each. */
    private Set<String> granted() {
        Set<String> granted = new TreeSet<>();
        for (String kind : List.of("ClusterRole", "Role")) {
            JsonNode roles = new ObjectMapper().valueToTree(Chart.documents(manifests, kind));
            for (JsonNode rules : roles.findValues("rules")) {
                rules.forEach(rule -> add(rule, granted));
            }
        }
        return granted;
    }

    private static void add(JsonNode rule, Set<String> granted) {
        for (JsonNode group : rule.path("apiGroups")) {
            for (JsonNode resource : rule.path("resources")) {
                for (JsonNode verb : rule.path("verbs")) {
                    granted.add(permission(verb, group, resource.asText()));
                }
            }
        }
    }

    private static String permission(JsonNode verb, JsonNode group, String resource) {
        return verb.asText() + " " + resource + (group.asText().isEmpty() ? "" : " of " + group.asText());
    }

    private List<JsonNode> requests() throws IOException {
        ObjectMapper json = new ObjectMapper();
        String log = Files.readString(audit(), StandardCharsets.UTF_8);
        List<JsonNode> requests = new ArrayList<>();
        for (String line : log.substring(0, log.lastIndexOf('\n') + 1).split("\n", 0)) {
            JsonNode request = json.readTree(line);
            if (request.at("/user/username").asText().equals(ACCOUNT)) {
                requests.add(request);
            }
        }
        return requests;
    }

    /** Returns what the service account has requested, in the form of {@link #granted}. */
    private Set<String> audited() throws IOException {
        Set<String> audited = new TreeSet<>();
        for (JsonNode request : requests()) {
            JsonNode object = request.path("objectRef");
            String subresource = object.path("subresource").asText();
            audited.add(permission(
                    request.path("verb"),
                    object.path("apiGroup"),
                    object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource)));
        }
        return audited;
    }

    private List<JsonNode> forbidden() throws IOException {
        return requests().stream()
                .filter(request -> request.at("/responseStatus/code").asInt() == 403)
                .toList();
    }
}
