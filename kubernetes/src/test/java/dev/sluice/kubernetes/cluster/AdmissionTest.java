package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.Chart;
import dev.sluice.kubernetes.TestCluster;
import dev.sluice.kubernetes.request.ApiServerContact;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The admission policies of the chart in a real API server: they set scheduler and user of pods in chosen namespaces,
 * and nobody can name another user.
 */
@Tag("kubernetes")
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AdmissionTest {

    private static final String NAMESPACE = "team-a";
    private static final String OTHER = "team-b";
    private static final String USER_INFO = "yunikorn.apache.org/user.info";
    private static final String OPERATOR = "system:serviceaccount:spark:spark-operator";
    private static final String ALICE = user("alice", "dev");
    private static final String FORGED = user("mallory", "admins");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private @Nullable TestCluster api;
    private KubernetesClient admin;
    private KubernetesClient alice;
    private KubernetesClient bob;

    @BeforeAll
    void start() throws Exception {
        TestCluster started = TestCluster.start(1, "--controllers");
        api = started;
        admin = started.client();
        alice = started.clientOf("alice", "dev");
        bob = started.clientOf("bob", "dev");
        for (String namespace : List.of(Chart.NAMESPACE, NAMESPACE, OTHER)) {
            admin.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .addToLabels(namespace.equals(OTHER) ? Map.of() : Map.of("sluice.dev/schedule", "enabled"))
                            .endMetadata()
                            .build())
                    .create();
            grant(namespace, "users", "alice", "bob", OPERATOR);
        }
        await("the controllers have created service accounts, without which pods are refused")
                .atMost(PATIENCE)
                .until(() -> hasServiceAccount(NAMESPACE) && hasServiceAccount(OTHER));
        Chart.create(admin, Chart.render("--set=admission.enabled=true,admission.trustedUsers={" + OPERATOR + "}"));
        await("the policies hold").atMost(PATIENCE).until(this::isMutated);
        await("forged users are refused").atMost(PATIENCE).until(this::isRefused);
    }

    @AfterAll
    void end() throws IOException {
        if (api != null) {
            bob.close();
            alice.close();
            admin.close();
            api.close();
        }
    }

    private boolean hasServiceAccount(String namespace) {
        return admin.serviceAccounts()
                        .inNamespace(namespace)
                        .withName("default")
                        .get()
                != null;
    }

    private void grant(String namespace, String name, String... users) {
        var binding = new RoleBindingBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin");
        for (String user : users) {
            binding.addNewSubject("rbac.authorization.k8s.io", "User", user, null);
        }
        admin.resource(binding.build()).create();
    }

    /**
     * Returns whether the policies that change pods are in force. The API server takes policies over one by one: the
     * one that demands a user may refuse the pod before the one that sets it is there.
     */
    private boolean isMutated() {
        try {
            Pod created = alice.resource(pod(NAMESPACE, "dry-run", "")).dryRun().create();
            return "sluice".equals(created.getSpec().getSchedulerName()) && ALICE.equals(userOf(created));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return false;
            }
            throw e;
        }
    }

    /** Returns whether the policy that forbids to change the user is in force. */
    private boolean isRefused() {
        String name = "probe-" + System.nanoTime();
        alice.resource(pod(NAMESPACE, name, "")).create();
        try {
            annotate(alice, name, FORGED);
            return false;
        } catch (KubernetesClientException e) {
            return true;
        }
    }

    /** Returns the annotation for a user as the policy writes it. */
    private static String user(String name, String... groups) {
        StringBuilder text = new StringBuilder("{\"user\":\"" + name + "\",\"groups\":[");
        for (String group : groups) {
            text.append('"').append(group).append("\",");
        }
        return text.append("\"system:authenticated\"]}").toString();
    }

    private static Pod pod(String namespace, String name, String more) {
        return Manifests.pod("""
                metadata: {name: %s, namespace: %s, uid: ""}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
                  %s
                """.formatted(name, namespace, more));
    }

    private static Pod withUser(Pod pod, String user) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(USER_INFO, user)
                .endMetadata()
                .build();
    }

    private static @Nullable String userOf(Pod pod) {
        return pod.getMetadata().getAnnotations().get(USER_INFO);
    }

    private static Pod annotate(KubernetesClient client, String name, String user) {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withName(name)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"annotations\": {\"" + USER_INFO + "\": " + Serialization.asJson(user)
                                + "}}}");
    }

    private static void assertRefused(Runnable request, String reason) {
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(request::run)
                .withMessageContaining(reason)
                .satisfies(problem -> assertThat(problem.getCode()).isEqualTo(403));
    }

    private static void create(KubernetesClient client, String manifest) {
        client.load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)))
                .create();
    }

    @Test
    void pod_ofChosenNamespace_hasSchedulerAndUser_whileSluiceIsAway() {
        Pod created = alice.resource(pod(NAMESPACE, "plain", "")).create();
        assertThat(created.getSpec().getSchedulerName()).isEqualTo("sluice");
        assertThat(userOf(created)).isEqualTo(ALICE);
    }

    @Test
    void forgedUser_isReplaced_andCannotBeSetLater() {
        Pod created =
                alice.resource(withUser(pod(NAMESPACE, "forged", ""), FORGED)).create();
        assertThat(userOf(created)).isEqualTo(ALICE);
        assertRefused(() -> annotate(alice, "forged", FORGED), "cannot be changed");
        assertRefused(
                () -> alice.pods()
                        .inNamespace(NAMESPACE)
                        .withName("forged")
                        .subresource("status")
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\": {\"annotations\": {\"" + USER_INFO + "\": null}}}"),
                "cannot be changed");
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withName("forged")
                .withNamespace(NAMESPACE)
                .addToAnnotations(USER_INFO, FORGED)
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName("node-0")
                .endTarget()
                .build();
        for (String path : List.of("/pods/forged/binding", "/bindings")) {
            assertRefused(
                    () -> alice.raw("/api/v1/namespaces/" + NAMESPACE + path, "POST", binding),
                    "a binding cannot set the annotation");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"al\"ice", "al\\ice", "\",\"groups\":[\"admins\"],\"x\":\"", "älice \u20ac"})
    void userWithSpecialCharacters_isQuoted(String name) throws Exception {
        String id = "quoted-" + Integer.toHexString(name.hashCode());
        grant(NAMESPACE, id, name);
        try (KubernetesClient client = Objects.requireNonNull(api).clientOf(encoded(name), "dev")) {
            Pod created = client.resource(pod(NAMESPACE, id, "")).create();
            Map<?, ?> read = Serialization.unmarshal(Objects.requireNonNull(userOf(created)), Map.class);
            assertThat(read.get("user")).isEqualTo(name);
            assertThat(read.keySet()).hasSize(2);
        }
    }

    /** Headers of requests are ISO 8859-1. */
    private static String encoded(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Test
    void podsOfOthers_areLeftAlone() {
        Pod elsewhere =
                alice.resource(withUser(pod(OTHER, "elsewhere", ""), FORGED)).create();
        assertThat(elsewhere.getSpec().getSchedulerName()).isEqualTo("default-scheduler");
        assertThat(userOf(elsewhere)).isEqualTo(FORGED);
        Pod own = alice.resource(pod(Chart.NAMESPACE, "own", "")).create();
        assertThat(own.getSpec().getSchedulerName())
                .as("the namespace of Sluice")
                .isEqualTo("default-scheduler");
        Pod other = alice.resource(pod(NAMESPACE, "volcano", "schedulerName: volcano"))
                .create();
        assertThat(other.getSpec().getSchedulerName()).isEqualTo("volcano");
        Pod placed =
                alice.resource(pod(NAMESPACE, "placed", "nodeName: node-0")).create();
        assertThat(placed.getSpec().getSchedulerName()).isEqualTo("default-scheduler");
    }

    @Test
    void trustedUser_namesTheUser() throws Exception {
        try (KubernetesClient operator = Objects.requireNonNull(api).clientOf(OPERATOR)) {
            Pod created = operator.resource(withUser(pod(NAMESPACE, "driver", ""), ALICE))
                    .create();
            assertThat(userOf(created)).isEqualTo(ALICE);
            Pod without = operator.resource(pod(NAMESPACE, "nobodys", "")).create();
            assertThat(userOf(without)).isEqualTo("{\"user\":\"nobody\"}");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apps/v1 Deployment selector: {matchLabels: {of: %1$s}}",
                "apps/v1 ReplicaSet selector: {matchLabels: {of: %1$s}}",
                "apps/v1 StatefulSet selector: {matchLabels: {of: %1$s}}",
                "apps/v1 DaemonSet selector: {matchLabels: {of: %1$s}}",
                "v1 ReplicationController selector: {of: %1$s}",
                "batch/v1 Job completions: 1",
                "batch/v1 CronJob schedule: '* * * * *'",
            })
    void podsOfControllers_haveTheUserWhoCreatedTheTemplate(String kind) {
        String[] parts = kind.split(" ", 3);
        String name = parts[1].toLowerCase(Locale.ROOT);
        String template = """
                template:
                    metadata: {labels: {of: %1$s}, annotations: {%2$s: forged}}
                    spec: {restartPolicy: %3$s, containers: [{name: c, image: none}]}
                """.formatted(name, USER_INFO, parts[0].startsWith("batch") ? "Never" : "Always");
        create(alice, """
                apiVersion: %2$s
                kind: %3$s
                metadata: {name: %1$s, namespace: team-a}
                spec:
                  %4$s
                  %5$s
                """.formatted(
                name,
                parts[0],
                parts[1],
                parts[2].formatted(name),
                parts[1].equals("CronJob")
                        ? "jobTemplate:\n    spec:\n      " + template.indent(4).strip()
                        : template.strip()));
        Pod created = await().atMost(Duration.ofSeconds(90))
                .until(
                        () -> admin.pods().inNamespace(NAMESPACE).withLabel("of", name).list().getItems().stream()
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);
        assertThat(userOf(created)).isEqualTo(ALICE);
        assertThat(created.getSpec().getSchedulerName())
                .isEqualTo(name.equals("daemonset") ? "default-scheduler" : "sluice");
    }

    @Test
    void template_changedByAnother_hasTheOther_butScalingKeepsTheUser() {
        create(alice, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: shared, namespace: team-a}
                spec:
                  replicas: 0
                  selector: {matchLabels: {of: shared}}
                  template:
                    metadata: {labels: {of: shared}}
                    spec: {containers: [{name: c, image: none}]}
                """);
        var deployment = bob.apps().deployments().inNamespace(NAMESPACE).withName("shared");
        deployment.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"replicas\": 1}}");
        deployment.scale(0);
        assertThat(userOfTemplate()).isEqualTo(ALICE);
        deployment.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), """
                {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "other"}]}}}}""");
        assertThat(userOfTemplate()).isEqualTo(user("bob", "dev"));
        deployment.patch(PatchContext.of(PatchType.JSON_MERGE), """
                {"spec": {"template": {"metadata": {"annotations": {"%s": %s}}}}}
                """.formatted(USER_INFO, Serialization.asJson(ALICE)));
        assertThat(userOfTemplate()).as("bob has named alice").isEqualTo(user("bob", "dev"));
    }

    private @Nullable String userOfTemplate() {
        return admin.apps()
                .deployments()
                .inNamespace(NAMESPACE)
                .withName("shared")
                .get()
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations()
                .get(USER_INFO);
    }

    @Test
    void podWithoutScheduler_isScheduledAsTheUser() throws Exception {
        KubernetesClient reaching = Objects.requireNonNull(api).client();
        try (FollowingEngine engine = new FollowingEngine(KubernetesSettings.DEFAULT, null, reaching)) {
            engine.start(reaching, new ApiServerContact(InstantSource.system()));
            alice.resource(new PodBuilder(pod(NAMESPACE, "scheduled", ""))
                            .editMetadata()
                            .addToLabels("applicationId", "mine")
                            .endMetadata()
                            .build())
                    .create();
            await().atMost(PATIENCE)
                    .until(() -> "node-0"
                            .equals(alice.pods()
                                    .inNamespace(NAMESPACE)
                                    .withName("scheduled")
                                    .get()
                                    .getSpec()
                                    .getNodeName()));
            String user =
                    engine.of(partition -> partition.existing("mine").spec().user());
            assertThat(user).isEqualTo("alice");
        }
    }
}
