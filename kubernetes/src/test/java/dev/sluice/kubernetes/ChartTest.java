package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The Helm chart in {@code kubernetes/chart}, and the manifests that it renders. */
@Tag("kubernetes")
@Timeout(240)
final class ChartTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path MANIFESTS = Path.of("manifests", "sluice.yaml");
    private static final String HEADER = """
            # What the chart in kubernetes/chart renders with its defaults; written by ChartTest with -Dsluice.write=true.
            apiVersion: v1
            kind: Namespace
            metadata:
              name: sluice
              labels:
                pod-security.kubernetes.io/enforce: restricted
            """;
    private static final String OPTIONS = "--set=tls.secretName=tls,hostNames={sluice.example.org},"
            + "networkPolicy.enabled=true,dashboard.enabled=true,data.persistent=false,database.url=postgresql://sluice@db/sluice,"
            + "database.passwordSecret.name=db,schedulerNames={sluice,yunikorn},config.namespace=yunikorn,replicas=2,"
            + "tasks.namespace=tasks,tasks.serviceAccounts={trainer},admission.enabled=true,admission.trustedUsers={operator}";

    private static final String MONITORED = "--set=tls.secretName=certificate,podMonitor.enabled=true,"
            + "podMonitor.tokenSecret.name=scrape,podMonitor.labels.release=prometheus";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--set=log.level=DEBUG",
                OPTIONS,
                MONITORED,
                Chart.REPLICAS,
                "--set=tls.secretName=tls",
                "--set=data.existingClaim=journal,data.storageClassName=fast",
                "--set=config.queues=,config.namespace=yunikorn,schedulerNames={sluice,yunikorn}",
                "--set=tasks.namespace=tasks",
                "--set=admission.enabled=true",
                "--set=dashboard.enabled=true,dashboard.namespace=grafana",
                "--set=networkPolicy.enabled=true",
                "--set=image.pullSecrets={registry},priorityClassName=high,serviceAccount.name=other,podLabels.a=b",
            })
    void chart_linted_hasNoProblem(String options) throws Exception {
        Chart.Result result = Chart.helm("lint", "--strict", options);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void manifests_areWhatTheChartRenders() throws Exception {
        String rendered = HEADER + Chart.render();
        if (Boolean.getBoolean("sluice.write")) {
            Files.createDirectories(MANIFESTS.getParent());
            Files.writeString(MANIFESTS, rendered);
        }
        assertThat(Files.readString(MANIFESTS))
                .as("write it anew with -Dtest=ChartTest -Dsluice.write=true -Pkubernetes")
                .isEqualTo(rendered);
    }

    @Test
    void guide_showsWhatTheManifestsCreate() throws IOException {
        List<String> created = Pattern.compile("^---$", Pattern.MULTILINE)
                .splitAsStream(Files.readString(MANIFESTS))
                .map(each -> (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(each))
                .map(each -> {
                    String version = String.valueOf(each.get("apiVersion"));
                    String group = version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
                    return "    " + String.valueOf(each.get("kind")).toLowerCase(Locale.ROOT) + group + "/"
                            + ((Map<?, ?>) Objects.requireNonNull(each.get("metadata"))).get("name") + " created\n";
                })
                .toList();
        assertThat(Files.readString(Path.of("..", "docs", "guides", "kubernetes.md")))
                .contains("    $ kubectl apply -f kubernetes/manifests/sluice.yaml\n" + String.join("", created));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "data.persistent=false | set database.url, or data.persistent to true",
                "database.url=postgresql://sluice@db/sluice | requires database.passwordSecret.name",
                "database.url=postgresql://sluice:word@db/sluice | database",
                "podMonitor.enabled=true | requires tls.secretName",
                "podMonitor.enabled=true,tls.secretName=t | requires podMonitor.tokenSecret.name",
                "tasks.namespace=sluice | tasks.namespace must be a namespace of its own",
                "tasks.namespace=y,config.namespace=y | tasks.namespace must be a namespace of its own",
                "tasks.serviceAccounts={a} | tasks.serviceAccounts requires tasks.namespace",
                "schedulerNames={} | schedulerNames",
                "schedulerNames={Sluice} | schedulerNames",
                "admission.enabled=maybe | admission",
                "replicas=2 | replicas above 1 share their journal",
                "replicas=0 | replicas",
                "log.level=LOUD | log",
                "heapPercent=200 | heapPercent",
                "data.size=much | size",
            })
    void values_thatDoNotWork_areRefusedWithTheirName(String values, String problem) throws Exception {
        Chart.Result result = Chart.helm("template", "--set", values);
        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(result.output()).contains(problem);
    }

    @Test
    void server_withoutCertificate_isReachableFromItsPodOnly() throws Exception {
        String rendered = Chart.render();
        assertThat(rendered)
                .doesNotContain("--listen", "kind: Service\n", "containerPort", "--insecure")
                .contains("sluice health");
        assertThat(Chart.render(OPTIONS))
                .contains(
                        "--listen\n            - 0.0.0.0",
                        "--tls-certificate",
                        "kind: Service\n",
                        "containerPort: 7450");
    }

    @Test
    void dashboard_isAConfigMapForGrafana() throws Exception {
        String head = "metadata:\n  name: sluice-dashboard\n";
        assertThat(Chart.render()).doesNotContain(head);
        assertThat(Chart.render(OPTIONS))
                .contains(head, "    grafana_dashboard: \"1\"\n", "  sluice.json: |\n    {\n")
                .contains("\"legendFormat\": \"{{queue}}\"");
    }

    @Test
    void podMonitor_namesPortAndSecretsOfTheDeployment() throws Exception {
        String rendered = Chart.render(MONITORED);
        JsonNode monitor = document(rendered, "PodMonitor");
        JsonNode endpoint = monitor.at("/spec/podMetricsEndpoints/0");
        JsonNode template = document(rendered, "Deployment").at("/spec/template");
        JsonNode container = template.at("/spec/containers/0");
        assertThat(container.get("ports").findValuesAsText("name"))
                .containsExactly(endpoint.get("port").asText());
        assertThat(container.get("args").toString()).contains("--tls-certificate");
        assertThat(endpoint.get("scheme").asText()).isEqualTo("https");
        assertThat(template.at("/spec/volumes").findValuesAsText("secretName"))
                .as("the server has the certificate that Prometheus verifies")
                .containsExactly(endpoint.at("/tlsConfig/ca/secret/name").asText());
        assertThat(endpoint.at("/authorization/credentials")).hasToString("{\"name\":\"scrape\",\"key\":\"token\"}");
        JsonNode service = document(rendered, "Service").get("metadata");
        assertThat(endpoint.at("/tlsConfig/serverName").asText())
                .isEqualTo(service.get("name").asText() + "."
                        + service.get("namespace").asText() + ".svc");
        assertThat(template.at("/metadata/labels").properties())
                .containsAll(monitor.at("/spec/selector/matchLabels").properties());
        assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
        assertThat(Chart.render(OPTIONS)).doesNotContain("PodMonitor");
    }

    private static JsonNode document(String rendered, String kind) {
        return JSON.valueToTree(Chart.documents(rendered, kind).get(0));
    }

    @Test
    void podMonitor_isAcceptedByApiServer() throws Exception {
        JsonNode rendered = document(Chart.render(MONITORED), "PodMonitor");
        try (TestCluster cluster = TestCluster.start(1);
                KubernetesClient client = cluster.client()) {
            createNamespace(client, Chart.NAMESPACE);
            try (InputStream definition = ChartTest.class.getResourceAsStream("/podmonitors.yaml")) {
                client.load(definition).create();
            }
            GenericKubernetesResource monitor =
                    Serialization.unmarshal(rendered.toString(), GenericKubernetesResource.class);
            await("the resource is served")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                    .until(() -> client.resource(monitor).create() != null);
            assertThat((Object) JSON.valueToTree(client.resource(monitor).get()).get("spec"))
                    .as("no field is unknown")
                    .isEqualTo(rendered.get("spec"));
        }
    }

    @Test
    void admission_isOffByDefault_andSparesSystemNamespaces() throws Exception {
        assertThat(Chart.render()).doesNotContain("AdmissionPolicy");
        String rendered = Chart.render("--set=admission.enabled=true,schedulerNames={batch,yunikorn}");
        for (String kind : List.of("MutatingAdmissionPolicy", "ValidatingAdmissionPolicy")) {
            assertThat(Chart.documents(rendered, kind))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.toString())
                            .contains("sluice.dev/schedule=enabled")
                            .contains("values=[kube-node-lease, kube-public, kube-system, " + Chart.NAMESPACE + "]"));
        }
        assertThat(rendered).contains("schedulerName: \"batch\"");
    }

    @Test
    void admission_beforeKubernetes136_isRefused() throws Exception {
        Chart.Result result = Chart.helm("template", "--set=admission.enabled=true", "--kube-version=1.35.4");
        assertThat(result.output()).contains("admission.enabled requires Kubernetes 1.36");
        assertThat(result.exitCode()).isNotZero();
    }

    @Test
    void replicas_haveALeaseAndAreReplacedOneByOne() throws Exception {
        assertThat(Chart.render()).doesNotContain("lease").contains("type: Recreate");
        assertThat(Chart.render(Chart.REPLICAS))
                .contains(
                        "replicas: 2", "--lease\n            - sluice\n", "type: RollingUpdate", "name: sluice-lease");
        assertThat(Chart.render(OPTIONS)).contains("replicas: 2", "type: RollingUpdate");
    }

    @Test
    void replicas_onStandbyAreReady_andServiceSelectsTheLeader() throws Exception {
        assertThat(Chart.render("--set=tls.secretName=tls"))
                .contains("path: /api/v1/ready")
                .doesNotContain("sluice.dev/leader", "--lease-pod");
        assertThat(Chart.render(OPTIONS))
                .doesNotContain("path: /api/v1/ready")
                .contains(
                        "    sluice.dev/leader: sluice\n",
                        "--lease-pod\n            - $(SLUICE_POD)\n",
                        "fieldPath: metadata.name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--set=log.level=INFO", OPTIONS})
    void objects_areAcceptedByApiServer_andPodIsRestricted(String options) throws Exception {
        String rendered = Chart.render(options);
        try (TestCluster cluster = TestCluster.start(1);
                KubernetesClient client = cluster.client()) {
            createNamespace(client, Chart.NAMESPACE);
            createNamespace(client, "yunikorn");
            createNamespace(client, "tasks");
            assertThatCode(() -> Chart.create(client, rendered)).doesNotThrowAnyException();
            Deployment deployment = client.apps()
                    .deployments()
                    .inNamespace(Chart.NAMESPACE)
                    .withName("sluice")
                    .get();
            Pod pod = new PodBuilder()
                    .withMetadata(deployment.getSpec().getTemplate().getMetadata())
                    .withSpec(deployment.getSpec().getTemplate().getSpec())
                    .editMetadata()
                    .withName("sluice-0")
                    .withNamespace(Chart.NAMESPACE)
                    .endMetadata()
                    .build();
            assertThatCode(() -> client.resource(pod).create())
                    .as("the namespace enforces the restricted standard for pods")
                    .doesNotThrowAnyException();
        }
    }

    private static void createNamespace(KubernetesClient client, String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build())
                .create();
    }
}
