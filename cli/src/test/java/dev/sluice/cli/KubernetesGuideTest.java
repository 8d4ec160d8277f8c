package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.GuideCommands.GuideCommand;
import dev.sluice.server.testing.RestartableDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the guide to Kubernetes in its order, with a real API server, the controllers of Kubernetes and
 * two simulated nodes of 16 cores, and compares what they print with what the guide shows. Nodes that run no containers
 * are why {@link DeployedServer} runs the server, and why {@code sluice} is not an alias of {@code kubectl exec}.
 */
@ProgramTest
@Tag("kubernetes")
@Timeout(900)
final class KubernetesGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Commands that are not run, with the reason. */
    private static final Map<String, String> EXCLUDED = Map.ofEntries(
            Map.entry("kubernetes/image/build registry.example.org/sluice:0.1.0", "ImageTest builds the image"),
            Map.entry("docker push registry.example.org/sluice:0.1.0", "needs a registry"),
            Map.entry("alias sluice='kubectl -n sluice exec -i deployment/sluice -- sluice'", "needs a container"),
            Map.entry("alias sluice='kubectl -n sluice exec -i $(leader) -- sluice'", "needs a container"),
            Map.entry("kubectl rollout status", "pods of the Deployment need kube-scheduler"),
            Map.entry("helm --wait", "pods of the Deployment need kube-scheduler"),
            Map.entry("sluice serve --kubernetes --kubeconfig FILE", "DeployedServer is run so"),
            Map.entry("kubectl -n sluice logs deployment/sluice", "needs a container"),
            Map.entry("kubectl -n sluice port-forward deployment/sluice 7450", "needs a container"));

    /** What a user does who follows the guide, before or after the command that begins so. */
    private final Map<String, Action> before = new LinkedHashMap<>();

    private final Map<String, Action> after = new LinkedHashMap<>();

    @TempDir
    private Path folder;

    private @Nullable ControlPlane started;
    private @Nullable RestartableDatabase database;
    private ControlPlane cluster;
    private DeployedServer server;
    private String guide;

    private interface Action {
        void run() throws Exception;
    }

    @BeforeEach
    void start() throws IOException {
        cluster = new ControlPlane(folder.resolve("kubeconfig"), 2, "--controllers", "--helm");
        started = cluster;
        RestartableDatabase postgres = new RestartableDatabase(folder.resolve("database"));
        database = postgres;
        server = new DeployedServer(cluster, folder, postgres.address());
        Files.createSymbolicLink(folder.resolve("kubernetes"), PackagedProgram.REPOSITORY.resolve("kubernetes"));
        Files.writeString(folder.resolve("password"), "word");
        guide = Files.readString(PackagedProgram.REPOSITORY.resolve("docs/guides/kubernetes.md"));
        for (String file : List.of("jobs.yaml", "queues.yaml")) {
            Files.writeString(folder.resolve(file), block(" \\[" + file + "]"));
        }
        Files.writeString(folder.resolve("first.yaml"), block(""));
    }

    @AfterEach
    void end() throws Exception {
        if (started != null) {
            server.close();
            started.close();
        }
        if (database != null) {
            database.close();
        }
    }

    private String block(String heading) {
        Matcher block = Pattern.compile("```yaml" + heading + "\n(.*?)```", Pattern.DOTALL)
                .matcher(guide);
        assertThat(block.find()).as(heading).isTrue();
        return block.group(1);
    }

    private record Result(int exitCode, String output) {}

    private Result bash(String command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", command);
        builder.directory(folder.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        Path bin = PackagedProgram.path().getParent();
        environment.put("PATH", bin + ":" + ControlPlane.programs() + ":" + environment.get("PATH"));
        environment.put("HOME", folder.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("KUBECONFIG", folder.resolve("kubeconfig").toString());
        environment.put("SLUICE_SERVER", "unix:" + server.socket());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(command).isTrue();
        return new Result(process.exitValue(), output);
    }

    /** Runs what must succeed; returns what it prints. */
    private String run(String commands) throws IOException, InterruptedException {
        Result result = bash(commands);
        assertThat(result.exitCode()).as(commands + "\n" + result.output()).isZero();
        return result.output();
    }

    private void awaitOutput(String command, String expected) {
        await(command)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(bash(command).output()).contains(expected));
    }

    /** Returns the command of the guide that begins so. */
    private String command(String beginning) {
        return new GuideCommands(guide)
                .commands().stream()
                        .map(GuideCommand::text)
                        .filter(each -> each.startsWith(beginning))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void commands_ofGuide_printWhatItShows() throws Exception {
        GuideCommands parsed = new GuideCommands(guide);
        assertThat(parsed.others()).as("indented blocks without commands").containsExactly("metadata:");
        prepare();
        Set<String> excluded = new HashSet<>(EXCLUDED.keySet());
        List<String> executed = new ArrayList<>();
        for (GuideCommand command : parsed.commands()) {
            if (EXCLUDED.containsKey(command.text())) {
                excluded.remove(command.text());
            } else if (command.isInText() && command.text().matches("sluice [a-z]+( [a-z]+)?")) {
                assertThat(CommandModel.commands()).containsKey(command.text().substring("sluice ".length()));
            } else {
                execute(command);
                executed.add(command.text());
            }
        }
        assertThat(excluded).as("excluded commands that are not in the guide").isEmpty();
        assertThat(before.keySet()).as("commands that are not in the guide").isEmpty();
        assertThat(after.keySet()).as("commands that are not in the guide").isEmpty();
        assertThat(executed).hasSizeGreaterThan(25);
    }

    private void execute(GuideCommand command) throws Exception {
        act(before, command);
        String text = command.text();
        if (text.contains(" get ") || text.startsWith("sluice why ")) {
            await(text).atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> check(command));
        } else {
            check(command);
        }
        if (text.startsWith("helm install ") || text.startsWith("helm upgrade ")) {
            server.follow();
        }
        act(after, command);
    }

    private void check(GuideCommand command) throws IOException, InterruptedException {
        String printed = run(command.text());
        assertThat(command.matches(printed))
                .as("the output of " + command.text() + "\n" + printed + "\nand not\n" + command.output())
                .isTrue();
    }

    private static void act(Map<String, Action> actions, GuideCommand command) throws Exception {
        for (String beginning : List.copyOf(actions.keySet())) {
            if (command.text().startsWith(beginning)) {
                Objects.requireNonNull(actions.remove(beginning)).run();
            }
        }
    }

    private void prepare() {
        prepareInstallation();
        preparePods();
        prepareConfiguration();
        prepareOperation();
    }

    private void prepareInstallation() {
        String manifests = "kubectl apply -f kubernetes/manifests/sluice.yaml";
        before.put(manifests, () -> {
            server.stop();
            run("helm uninstall sluice --namespace sluice; kubectl delete namespace sluice");
        });
        after.put(manifests, () -> {
            server.follow();
            run("sluice queues");
            server.stop();
            run("kubectl delete -f kubernetes/manifests/sluice.yaml");
            run(command("helm install "));
        });
        after.put("leader() {", () -> awaitOutput(command("leader() {") + "; leader", "pod/sluice-"));
    }

    private void preparePods() {
        after.put("kubectl create namespace team-a", () -> awaitServiceAccount("team-a"));
        after.put("kubectl apply -f first.yaml", () -> {
            for (String name : List.of("second", "third")) {
                awaitOutput("kubectl -n team-a get pods", "Running");
                run("sed 's/name: first/name: " + name + "/; s/application: etl/application: report/' first.yaml"
                        + " | kubectl create -f -");
                awaitOutput("kubectl -n team-a get events", "pod/" + name);
            }
        });
        String fourth = "kubectl -n team-a get pod fourth";
        before.put(fourth, () -> {
            run("kubectl create clusterrolebinding alice --clusterrole cluster-admin --user alice");
            String create = "sed 's/name: first/name: fourth/; s/cpu: 12/cpu: 1/; /schedulerName/d' first.yaml"
                    + " | kubectl create --as alice --as-group dev -f -";
            awaitOutput(create + " --dry-run=server -o yaml", "schedulerName: sluice");
            awaitOutput(create + " --dry-run=server -o yaml", "user.info");
            run(create);
        });
        after.put(fourth, () -> {
            awaitOutput("kubectl -n team-a get pod fourth", "Running");
            run("kubectl -n team-a delete pod fourth");
            run("kubectl -n team-a delete events --field-selector involvedObject.name=fourth");
        });
        after.put("kubectl create namespace tasks", () -> {
            awaitServiceAccount("tasks");
            run("""
                    kubectl create -f - <<END
                    {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: shared, namespace: tasks},
                     spec: {accessModes: [ReadWriteMany], storageClassName: "", resources: {requests: {storage: 1Gi}}}}
                    ---
                    {apiVersion: v1, kind: PersistentVolume, metadata: {name: shared},
                     spec: {accessModes: [ReadWriteMany], capacity: {storage: 1Gi}, hostPath: {path: /shared},
                            claimRef: {namespace: tasks, name: shared}}}
                    END
                    """);
            awaitOutput("kubectl -n tasks get pvc", "Bound");
        });
        String logs = "sluice logs -f jobs-1 fetch-0";
        before.put("sluice wait jobs-1", () -> {
            cluster.log("part 0");
            awaitOutput("timeout 5 " + logs, "part 0");
            String end = "kubectl -n tasks annotate pods --all --overwrite test-cluster/duration=0s";
            run(end);
            awaitOutput("kubectl -n tasks get pods -l sluice.dev/task=merge", "Running");
            run(end);
        });
        after.put(logs, () -> assertThat(run(logs)).isEqualTo("part 0\n"));
    }

    private void awaitServiceAccount(String namespace) {
        awaitOutput("kubectl -n " + namespace + " get serviceaccount default -o name", "serviceaccount/default");
    }

    private void prepareConfiguration() {
        String upgrade = "helm upgrade sluice kubernetes/chart --namespace sluice --reset-then-reuse-values ";
        String queues = "--set-file config.queues=queues.yaml";
        after.put(upgrade + queues, () -> awaitOutput("sluice queues", "batch"));
        before.put("kubectl -n sluice get events", () -> {
            run("sed 's/vcore: 8/vcore: much/' queues.yaml >wrong.yaml");
            run(upgrade + "--set-file config.queues=wrong.yaml");
        });
        after.put("kubectl -n sluice get events", () -> {
            awaitOutput("kubectl -n sluice get events --field-selector involvedObject.name=sluice-config", "much");
            assertThat(run("sluice queues")).contains("batch");
            run(upgrade + queues);
        });
        after.put("kubectl annotate namespace team-a", () -> {
            run("sed 's/name: first/name: fifth/; s/cpu: 12/cpu: 1/' first.yaml | kubectl create -f -");
            awaitOutput("kubectl -n team-a get pod fifth -o jsonpath='{.status.conditions[*].message}'", "root.team-a");
            run("kubectl -n team-a delete pod fifth");
        });
        String migration = upgrade + "--set 'schedulerNames={sluice,yunikorn}'";
        before.put(migration, () -> {
            run("""
                    kubectl create namespace yunikorn
                    kubectl -n yunikorn create configmap yunikorn-configs --from-file=queues.yaml=/dev/stdin <<END
                    partitions:
                      - name: default
                        queues:
                          - {name: root, queues: [{name: sandbox}]}
                    END
                    """);
            awaitServiceAccount("yunikorn");
            run("""
                    kubectl create -f - <<END
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: driver
                      namespace: yunikorn
                      labels: {applicationId: spark-pi, queue: root.sandbox}
                    spec: {schedulerName: yunikorn, containers: [{name: c, image: none}]}
                    END
                    """);
        });
        after.put(migration, () -> {
            awaitOutput("kubectl -n yunikorn get pods", "Running");
            assertThat(run("sluice get spark-pi")).contains("root.sandbox");
        });
    }

    private void prepareOperation() {
        before.put(
                "helm upgrade sluice kubernetes/chart --namespace sluice --reset-then-reuse-values --set tls",
                () -> run("""
                        mkdir tls
                        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=sluice -keyout tls/tls.key \\
                            -addext subjectAltName=DNS:sluice.sluice.svc -out tls/tls.crt
                        cp tls/tls.crt tls/ca.crt
                        kubectl -n sluice create secret generic sluice-tls --from-file=tls
                        """));
        String monitor =
                "helm upgrade sluice kubernetes/chart --namespace sluice --reset-then-reuse-values --set podMonitor";
        before.put(monitor, () -> {
            run("kubectl create -f kubernetes/src/test/resources/podmonitors.yaml");
            awaitOutput("kubectl get podmonitors -A", "No resources found");
        });
        after.put(monitor, () -> assertThat(run("""
                        get() { kubectl -n sluice get "$@"; }
                        name=$(get podmonitor sluice -o jsonpath='{.spec.podMetricsEndpoints[0].tlsConfig.serverName}')
                        token=$(get secret sluice-metrics -o jsonpath='{.data.token}' | base64 -d)
                        get secret sluice-tls -o jsonpath='{.data.ca\\.crt}' | base64 -d >ca.crt
                        curl -sS --cacert ca.crt --resolve $name:%1$d:127.0.0.1 -H "Authorization: Bearer $token" \\
                            https://$name:%1$d/metrics
                        """.formatted(server.port()))).contains("scheduler_pending_pods"));
        after.put(
                "helm uninstall sluice",
                () -> assertThat(run("kubectl -n sluice get pvc,deployments"))
                        .contains("persistentvolumeclaim/sluice-data")
                        .doesNotContain("deployment"));
    }
}
