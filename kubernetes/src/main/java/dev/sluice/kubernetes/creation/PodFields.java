package dev.sluice.kubernetes.creation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.core.application.TaskContainer;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.kubernetes.request.ApiRequests;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which fields of containers and pods tasks may have.
 *
 * <p>What the keys of a task say is not said again. Unless the policy has no restrictions, only listed fields are
 * allowed: none of them gives access to the node, to pods of others, or to the API server.
 */
final class PodFields {

    /** The only field of a pod that is not one of its {@code spec}. */
    static final String METADATA = "metadata";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Fields of a container that keys of a task replace, and these keys. */
    private static final Map<String, String> CONTAINER_KEYS = new TreeMap<>(Map.of(
            "name", "no key: the container is called task",
            "image", "image",
            "command", "command",
            "workingDir", "directory"));

    /** Fields of a pod that keys of a task replace, and these keys. */
    private static final Map<String, String> POD_KEYS = new TreeMap<>(Map.ofEntries(
            Map.entry("containers", "container, or pod.initContainers with restartPolicy: Always"),
            Map.entry("nodeName", "requirednode"),
            Map.entry("nodeSelector", "nodeSelector"),
            Map.entry("affinity", "affinity"),
            Map.entry("tolerations", "tolerations"),
            Map.entry("topologySpreadConstraints", "topologySpreadConstraints"),
            Map.entry("activeDeadlineSeconds", "timeout"),
            Map.entry("restartPolicy", "retries"),
            Map.entry("priority", "priority"),
            Map.entry("resources", "resources"),
            Map.entry("schedulerName", "no key: the scheduler is Sluice"),
            Map.entry("schedulingGates", "after")));

    private static final Set<String> CONTAINER = Set.of(
            "args",
            "env",
            "envFrom",
            "imagePullPolicy",
            "lifecycle",
            "livenessProbe",
            "readinessProbe",
            "resources",
            "securityContext",
            "startupProbe",
            "terminationMessagePath",
            "terminationMessagePolicy",
            "tty",
            "volumeMounts");

    /** Further fields of an init container. */
    private static final Set<String> INIT_CONTAINER = Set.of("name", "image", "command", "workingDir", "restartPolicy");

    private static final Set<String> CONTAINER_SECURITY = Set.of(
            "allowPrivilegeEscalation",
            "readOnlyRootFilesystem",
            "runAsGroup",
            "runAsNonRoot",
            "runAsUser",
            "seccompProfile",
            "capabilities");

    private static final Set<String> POD = Set.of(
            "automountServiceAccountToken",
            "dnsConfig",
            "dnsPolicy",
            "enableServiceLinks",
            "hostAliases",
            "hostname",
            "imagePullSecrets",
            "initContainers",
            METADATA,
            "securityContext",
            "serviceAccountName",
            "setHostnameAsFQDN",
            "subdomain",
            "terminationGracePeriodSeconds",
            "volumes");

    private static final Set<String> POD_SECURITY = Set.of(
            "fsGroup",
            "fsGroupChangePolicy",
            "runAsGroup",
            "runAsNonRoot",
            "runAsUser",
            "seccompProfile",
            "supplementalGroups");

    private static final Set<String> VOLUME =
            Set.of("name", "configMap", "downwardAPI", "emptyDir", "persistentVolumeClaim", "projected", "secret");

    private static final Set<String> PROJECTED = Set.of("configMap", "downwardAPI", "secret");

    private final PodPolicy policy;
    private final List<String> refusals = new ArrayList<>();

    private PodFields(PodPolicy policy) {
        this.policy = policy;
    }

    /** Returns fields as an object; empty if there are none. */
    static ObjectNode object(String json) {
        try {
            return json.isEmpty() ? ApiRequests.object() : (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException | ClassCastException e) {
            throw new IllegalArgumentException("not a JSON object: " + json, e);
        }
    }

    /** Returns why the fields of a task's container and pod are refused, with cures; empty if they are allowed. */
    static List<String> refusals(TaskSpec task, TaskContainer container, PodPolicy policy) {
        PodFields fields = new PodFields(policy);
        JsonNode own = object(container.container());
        JsonNode pod = object(container.pod());
        fields.replaced("container", own, CONTAINER_KEYS);
        fields.replaced("pod", pod, POD_KEYS);
        fields.container("container", own, CONTAINER);
        if (!own.path("args").isMissingNode()
                && task.command() != null
                && !task.command().words().isEmpty()) {
            fields.refuse("container.args", "has no effect beside command: add the arguments to command");
        }
        if (!own.at("/resources/requests").isMissingNode()) {
            fields.refuse("container.resources.requests", "write resources of the task instead");
        }
        fields.pod(pod);
        return fields.refusals;
    }

    private void refuse(String field, String cure) {
        refusals.add(field + ": " + cure);
    }

    private void replaced(String where, JsonNode object, Map<String, String> keys) {
        keys.forEach((field, key) -> {
            if (object.has(field)) {
                refuse(where + "." + field, "this is a key of the task: " + key);
            }
        });
    }

    /** Refuses fields that are not listed, unless the policy has no restrictions. */
    private void listed(String where, JsonNode object, Set<String> allowed, Set<String> reported) {
        if (policy.unrestricted()) {
            return;
        }
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!allowed.contains(name) && !reported.contains(name)) {
                refuse(
                        where + "." + name,
                        "is not allowed here: remove it, or ask the administrator for --unrestricted-pods");
            }
        }
    }

    private void container(String where, JsonNode container, Set<String> allowed) {
        listed(where, container, allowed, CONTAINER_KEYS.keySet());
        JsonNode security = container.path("securityContext");
        listed(where + ".securityContext", security, CONTAINER_SECURITY, Set.of());
        if (!policy.unrestricted()) {
            if (security.path("allowPrivilegeEscalation").asBoolean()) {
                refuse(where + ".securityContext.allowPrivilegeEscalation", "only false is allowed: remove it");
            }
            listed(where + ".securityContext.capabilities", security.path("capabilities"), Set.of("drop"), Set.of());
            seccomp(where, security);
        }
    }

    private void seccomp(String where, JsonNode security) {
        String type = security.at("/seccompProfile/type").asText("RuntimeDefault");
        if (!type.equals("RuntimeDefault")) {
            refuse(where + ".securityContext.seccompProfile", "only type RuntimeDefault is allowed: remove it");
        }
    }

    private void pod(JsonNode pod) {
        listed("pod", pod, POD, POD_KEYS.keySet());
        listed("pod.securityContext", pod.path("securityContext"), POD_SECURITY, Set.of());
        if (!policy.unrestricted()) {
            seccomp("pod", pod.path("securityContext"));
        }
        PodMetadata.check(pod.path(METADATA), policy.unrestricted(), this::refuse);
        serviceAccount(pod);
        for (JsonNode volume : pod.path("volumes")) {
            String where = "pod.volumes." + volume.path("name").asText("");
            listed(where, volume, VOLUME, Set.of());
            for (JsonNode source : volume.at("/projected/sources")) {
                listed(where + ".projected", source, PROJECTED, Set.of());
            }
        }
        for (JsonNode init : pod.path("initContainers")) {
            String where = "pod.initContainers." + init.path("name").asText("");
            container(where, init, union());
            if (init.has("resources")) {
                refuse(where + ".resources", "the task's resources are those of its pod: remove it");
            }
        }
    }

    private static Set<String> union() {
        Set<String> all = new HashSet<>(CONTAINER);
        all.addAll(INIT_CONTAINER);
        return all;
    }

    private void serviceAccount(JsonNode pod) {
        String account = pod.path("serviceAccountName").asText("");
        if (!account.isEmpty() && !policy.serviceAccounts().contains(account) && !policy.unrestricted()) {
            refuse(
                    "pod.serviceAccountName",
                    "tasks may not use service account " + account
                            + ": remove it, or ask the administrator for --task-service-account " + account);
        }
        if (account.isEmpty() && pod.path("automountServiceAccountToken").asBoolean() && !policy.unrestricted()) {
            refuse(
                    "pod.automountServiceAccountToken",
                    "a token needs an allowed service account: remove it, or name one with serviceAccountName");
        }
    }
}
