package dev.sluice.kubernetes.creation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Task;
import dev.sluice.kubernetes.reconciliation.Cluster;
import dev.sluice.kubernetes.translation.Manifests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodManifestTest {

    private static final PodPolicy POLICY = Cluster.POLICY;

    private final Cluster cluster = new Cluster();

    private NewPod pod(TaskSpec spec) {
        cluster.view.put(Manifests.node("""
                metadata: {name: n}
                status: {allocatable: {cpu: 8, memory: 1Gi, pods: 10}, conditions: [{type: Ready, status: "True"}]}
                """));
        cluster.follow();
        cluster.handle(new Command.SubmitApplication("default", Images.application("etl", spec)));
        cluster.cycle();
        Task task = cluster.partition().existing("etl").groups().get(0).placed().get(0);
        return PodManifest.of(task, cluster.partition().types().resources(task.group()::demand), POLICY);
    }

    private JsonNode container(TaskCommand command) {
        return pod(Images.task("load", 3, command)).manifest().at("/spec/containers/0");
    }

    @Test
    void pod_hasNode_run_andNoToken() {
        NewPod pod = pod(Images.task("load", 3, Images.command("", "")));
        assertThat(pod.name()).matches("etl-load-0-1-[0-9a-f]{10}");
        assertThat(pod.manifest().toPrettyString().replace(pod.name(), "NAME")).isEqualTo("""
                {
                  "apiVersion" : "v1",
                  "kind" : "Pod",
                  "metadata" : {
                    "namespace" : "tasks",
                    "name" : "NAME",
                    "labels" : {
                      "app.kubernetes.io/managed-by" : "sluice",
                      "sluice.dev/application" : "etl",
                      "sluice.dev/task" : "load-0"
                    },
                    "annotations" : {
                      "sluice.dev/run-allocation" : "0",
                      "sluice.dev/run-application" : "etl",
                      "sluice.dev/run-attempt" : "1",
                      "sluice.dev/run-partition" : "default",
                      "sluice.dev/run-task" : "load-0",
                      "sluice.dev/queue" : "root.a",
                      "sluice.dev/user" : "alice"
                    }
                  },
                  "spec" : {
                    "nodeName" : "n",
                    "schedulerName" : "sluice",
                    "restartPolicy" : "Never",
                    "automountServiceAccountToken" : false,
                    "containers" : [ {
                      "name" : "task",
                      "image" : "python:3.13",
                      "command" : [ "make", "all" ],
                      "env" : [ {
                        "name" : "SLUICE_APPLICATION",
                        "value" : "etl"
                      }, {
                        "name" : "SLUICE_ATTEMPT",
                        "value" : "1"
                      }, {
                        "name" : "SLUICE_TASK",
                        "value" : "load-0"
                      }, {
                        "name" : "SLUICE_TASK_INDEX",
                        "value" : "0"
                      } ],
                      "resources" : {
                        "requests" : {
                          "cpu" : "1000m"
                        }
                      }
                    } ]
                  }
                }""");
    }

    @Test
    void shellCommand_isPassedAsWritten_thoughKubernetesReplacesDollars() {
        JsonNode container =
                container(Images.command(List.of("echo $$ $(date) $HOME"), true, Map.of("PRICE", "$(A)"), "", ""));
        assertThat(container.path("command")).hasToString("[\"/bin/sh\",\"-c\",\"echo $$$$ $$(date) $$HOME\"]");
        assertThat(container.at("/env/0")).hasToString("{\"name\":\"PRICE\",\"value\":\"$$(A)\"}");
    }

    @Test
    void fieldsOfContainerAndPod_areMerged() {
        NewPod pod = pod(Images.task(
                        "load",
                        0,
                        Images.command(
                                List.of(),
                                false,
                                Map.of("A", "task"),
                                "{\"args\": [\"-v\"], \"env\": [{\"name\": \"A\", \"value\": \"x\"},"
                                        + " {\"name\": \"B\", \"valueFrom\": {\"secretKeyRef\": {\"name\": \"db\", \"key\": \"b\"}}}],"
                                        + " \"resources\": {\"limits\": {\"memory\": \"1Gi\"}}}",
                                "{\"hostname\": \"h\", \"volumes\": [{\"name\": \"v\","
                                        + " \"persistentVolumeClaim\": {\"claimName\": \"data\"}}]}"))
                .withResources(Resources.parse("vcore", "500m", "memory", "1Ki")));
        JsonNode container = pod.manifest().at("/spec/containers/0");
        assertThat(container.has("command")).as("that of the image").isFalse();
        assertThat(container.path("args")).hasToString("[\"-v\"]");
        assertThat(container.at("/env/0/valueFrom/secretKeyRef/name").asText()).isEqualTo("db");
        assertThat(container.at("/env/1")).hasToString("{\"name\":\"A\",\"value\":\"task\"}");
        assertThat(container.path("resources"))
                .hasToString("{\"limits\":{\"memory\":\"1Gi\"},\"requests\":{\"memory\":\"1024\",\"cpu\":\"500m\"}}");
        assertThat(pod.manifest().at("/spec/hostname").asText()).isEqualTo("h");
        assertThat(pod.claims()).containsExactly("data");
    }

    /** The task's labels are replaced by those of its pod, and all by our own. */
    @Test
    void labelsAndAnnotations_ofTaskAndPod_areMerged() {
        TaskConstraints labelled = TaskConstraints.NONE.withLabels(Map.of(
                "app", "web", "tier", "1", "sluice.dev/task", "x", "x y", "z", "note", "a b", "cut", "y".repeat(64)));
        TaskSpec task = Images.task(
                        "load",
                        0,
                        Images.command(
                                "",
                                "{\"hostname\": \"h\", \"metadata\": {\"labels\": {\"tier\": \"2\","
                                        + " \"app.kubernetes.io/name\": \"etl\"},"
                                        + " \"annotations\": {\"example.com/cost\": \"a b\"}}}"))
                .withConstraints(new Constraints(
                        Constraints.NONE.nodeSelector(), Constraints.NONE.nodeAffinity(), List.of(), labelled));
        JsonNode pod = pod(task).manifest();
        assertThat(pod.at("/metadata/labels")).hasToString("""
                {"app":"web","app.kubernetes.io/name":"etl","tier":"2","app.kubernetes.io/managed-by":"sluice",\
                "sluice.dev/application":"etl","sluice.dev/task":"load"}""");
        assertThat(pod.at("/metadata/annotations").path("example.com/cost").asText())
                .isEqualTo("a b");
        assertThat(pod.at("/metadata/annotations/sluice.dev~1run-task").asText())
                .isEqualTo("load");
        assertThat(pod.at("/spec/hostname").asText()).isEqualTo("h");
        assertThat(pod.path("spec").has("metadata")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"labels": {"team": "a", "example.com/team": ""}, "annotations": {"note": "any text"}} |
            {"labels": {"app.kubernetes.io/part-of": "etl"}}     |
            "x"                                                  | : must be a map of labels and annotations
            {"name": "x"}                                        | .name: only labels and annotations are allowed: remove it
            {"labels": []}                                       | .labels: must be a map of keys and texts
            {"labels": {"a b": "x"}}                             | .labels.a b: is not a valid key, such as team or example.com/team
            {"labels": {"a": "x y"}}                             | .labels.a: must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit
            {"labels": {"a": 1}}                                 | .labels.a: must be text: put the value in quotes
            {"annotations": {"a": true}}                         | .annotations.a: must be text: put the value in quotes
            {"labels": {"sluice.dev/task": "x"}}                 | .labels.sluice.dev/task: is reserved: use another key
            {"annotations": {"sluice.dev/run-task": "x"}}        | .annotations.sluice.dev/run-task: is reserved: use another key
            {"annotations": {"yunikorn.apache.org/app-id": "x"}} | .annotations.yunikorn.apache.org/app-id: is reserved: use another key
            {"labels": {"app.kubernetes.io/managed-by": "x"}}    | .labels.app.kubernetes.io/managed-by: is reserved: use another key
            {"labels": {"kubernetes.io/metadata.name": "x"}}     | .labels.kubernetes.io/metadata.name: is reserved: use another key
            {"labels": {"x.k8s.io/y": "x"}}                      | .labels.x.k8s.io/y: is reserved: use another key
            """, quoteCharacter = '`')
    void metadata_isRestricted(String metadata, @Nullable String refusal) {
        TaskSpec task = Images.task("t", 0, Images.command("", "{\"metadata\": " + metadata + "}"));
        assertThat(PodManifest.refusal(task, POLICY))
                .isEqualTo(refusal == null ? "" : "task t: pod.metadata" + refusal);
    }

    @Test
    void metadata_withoutRestrictions_mayHaveKeysOfKubernetes() {
        PodPolicy unrestricted = new PodPolicy("tasks", "sluice", Set.of(), true, Duration.ZERO, Duration.ZERO);
        String pod = "{\"metadata\": {\"annotations\": {\"%s\": \"x\"}}}";
        TaskSpec ofKubernetes = Images.task(
                "t", 0, Images.command("", pod.formatted("cluster-autoscaler.kubernetes.io/safe-to-evict")));
        assertThat(PodManifest.refusal(ofKubernetes, unrestricted)).isEmpty();
        TaskSpec own = Images.task("t", 0, Images.command("", pod.formatted("sluice.dev/run-task")));
        assertThat(PodManifest.refusal(own, unrestricted)).contains("is reserved");
    }

    @Test
    void tolerations_ofTheTask_keepThePodOnItsNode() {
        Toleration toleration =
                new Toleration("gpu", Toleration.Operator.EQUAL, "yes", TaintEffect.NO_EXECUTE, Duration.ofSeconds(30));
        TaskSpec task = Images.task("load", 0, Images.command("", ""))
                .withConstraints(new Constraints(
                        Constraints.NONE.nodeSelector(),
                        Constraints.NONE.nodeAffinity(),
                        List.of(toleration),
                        Constraints.NONE.tasks()));
        assertThat(pod(task).manifest().at("/spec/tolerations"))
                .hasToString(
                        "[{\"key\":\"gpu\",\"operator\":\"Equal\",\"value\":\"yes\",\"effect\":\"NoExecute\",\"tolerationSeconds\":30}]");
    }

    @Test
    void podName_isALabel_uniqueByRun() {
        PodRun run = new PodRun("default", "x".repeat(200), "Ä_t", 12, 7);
        assertThat(run.podName()).hasSize(63).matches("x{52}-[0-9a-f]{10}");
        assertThat(new PodRun("default", "_", "Ä", 1, 7).podName()).matches("1-[0-9a-f]{10}");
        assertThat(new PodRun("default", "Etl.1", "a b", 2, 7).podName()).matches("etl-1-a-b-2-[0-9a-f]{10}");
        Set<String> names = Set.of(
                new PodRun("default", "a", "t", 1, 7).podName(),
                new PodRun("default", "a", "t", 2, 7).podName(),
                new PodRun("default", "a", "t", 1, 8).podName(),
                new PodRun("other", "a", "t", 1, 7).podName(),
                new PodRun("default", "a-t", "1", 1, 7).podName());
        assertThat(names).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            etl | etl
            a b | a-b-c8687a08aa
            -a  | x-a-c274891790
            """)
    void label_ofAnyText_isValid(String text, String label) {
        assertThat(PodRun.label(text)).isEqualTo(label);
        assertThat(PodRun.label(text.repeat(100))).hasSizeLessThanOrEqualTo(63).matches("[a-z0-9][-a-z0-9]*[a-z0-9]");
    }

    @Test
    void taskWithoutImage_isRefused() {
        assertThat(PodManifest.refusal(TaskSpec.single("t", Resources.NONE), POLICY))
                .isEqualTo("task t has no image, and here tasks are pods: add image, such as image: python:3.13");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            envFrom: [], volumeMounts: [], imagePullPolicy: Always | |
            securityContext: {runAsUser: 1, capabilities: {drop: [ALL]}} | |
            | volumes: [{name: a, secret: {}}, {name: b, emptyDir: {}}] |
            | initContainers: [{name: i, image: x, command: [a]}], imagePullSecrets: [] |
            image: x | | container.image: this is a key of the task: image
            args: [a] | | container.args: has no effect beside command: add the arguments to command
            resources: {requests: {cpu: 1}} | | container.resources.requests: write resources of the task instead
            ports: [] | | container.ports: is not allowed here: remove it, or ask the administrator for --unrestricted-pods
            securityContext: {privileged: true} | | container.securityContext.privileged: is not allowed here: remove it, or ask the administrator for --unrestricted-pods
            securityContext: {allowPrivilegeEscalation: true} | | container.securityContext.allowPrivilegeEscalation: only false is allowed: remove it
            securityContext: {capabilities: {add: [A]}} | | container.securityContext.capabilities.add: is not allowed here: remove it, or ask the administrator for --unrestricted-pods
            securityContext: {seccompProfile: {type: Unconfined}} | | container.securityContext.seccompProfile: only type RuntimeDefault is allowed: remove it
            | containers: [] | pod.containers: this is a key of the task: container, or pod.initContainers with restartPolicy: Always
            | hostNetwork: true | pod.hostNetwork: is not allowed here: remove it, or ask the administrator for --unrestricted-pods
            | volumes: [{name: a, hostPath: {path: /}}] | pod.volumes.a.hostPath: is not allowed here: remove it, or ask the administrator for --unrestricted-pods
            | volumes: [{name: a, projected: {sources: [{serviceAccountToken: {}}]}}] | pod.volumes.a.projected.serviceAccountToken: is not allowed here: remove it, or ask the administrator for --unrestricted-pods
            | initContainers: [{name: i, securityContext: {privileged: true}}] | pod.initContainers.i.securityContext.privileged: is not allowed here: remove it, or ask the administrator for --unrestricted-pods
            | initContainers: [{name: i, resources: {}}] | pod.initContainers.i.resources: the task's resources are those of its pod: remove it
            | serviceAccountName: trainer | pod.serviceAccountName: tasks may not use service account trainer: remove it, or ask the administrator for --task-service-account trainer
            | automountServiceAccountToken: true | pod.automountServiceAccountToken: a token needs an allowed service account: remove it, or name one with serviceAccountName
            """)
    void fields_areRestricted(@Nullable String container, @Nullable String pod, @Nullable String refusal) {
        assertThat(refusal(container, pod, POLICY)).isEqualTo(refusal == null ? "" : "task t: " + refusal);
    }

    private static String refusal(@Nullable String container, @Nullable String pod, PodPolicy policy) {
        return PodManifest.refusal(Images.task("t", 0, Images.command(json(container), json(pod))), policy);
    }

    /** Returns JSON of a flow of YAML without texts that need quotes. */
    private static String json(@Nullable String fields) {
        return fields == null
                ? ""
                : "{" + fields.replaceAll("([A-Za-z/][A-Za-z/]*)", "\"$1\"").replace("\"true\"", "true") + "}";
    }

    @Test
    void policy_allowsMore() {
        PodPolicy accounts = new PodPolicy("tasks", "sluice", Set.of("trainer"), false, Duration.ZERO, Duration.ZERO);
        assertThat(refusal(null, "serviceAccountName: trainer, automountServiceAccountToken: true", accounts))
                .isEmpty();
        assertThat(refusal(null, "serviceAccountName: other", accounts)).contains("service account other");
        PodPolicy unrestricted = new PodPolicy("tasks", "sluice", Set.of(), true, Duration.ZERO, Duration.ZERO);
        assertThat(refusal(
                        "securityContext: {privileged: true}",
                        "hostNetwork: true, serviceAccountName: x",
                        unrestricted))
                .isEmpty();
        assertThat(refusal("image: x", "nodeName: n", unrestricted))
                .isEqualTo("task t: container.image: this is a key of the task: image;"
                        + " pod.nodeName: this is a key of the task: requirednode");
    }
}
