package dev.sluice.kubernetes.creation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskContainer;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Task;
import dev.sluice.kubernetes.request.ApiRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes the pods of runs.
 *
 * <p>A pod names its node, so it is never without one, and another scheduler leaves it alone. It has the resources that
 * the scheduler has allocated; extended ones also as limits, which Kubernetes requires.
 */
public final class PodManifest {

    /** The name of the container that runs the task. */
    public static final String CONTAINER = "task";

    private PodManifest() {}

    /** Returns why tasks like this cannot run as pods, with cures, or an empty text. */
    public static String refusal(TaskSpec task, PodPolicy policy) {
        TaskContainer container = task.container();
        if (container == null) {
            return "task " + task.name() + " has no image, and here tasks are pods: add image, such as image:"
                    + " python:3.13";
        }
        List<String> refusals = PodFields.refusals(task, container, policy);
        return refusals.isEmpty() ? "" : "task " + task.name() + ": " + String.join("; ", refusals);
    }

    /**
     * Returns the pod of an allocated task.
     *
     * @param resources what the task has been allocated, in addition to one slot
     */
    public static NewPod of(Task task, Resources resources, PodPolicy policy) {
        TaskCommand command = task.kind().command();
        TaskContainer container = command == null ? null : command.container();
        if (command == null || container == null) {
            throw new IllegalArgumentException("task without an image: " + task);
        }
        PodRun run = PodRun.of(task);
        ObjectNode pod = ApiRequests.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata =
                pod.putObject("metadata").put("namespace", policy.namespace()).put("name", run.podName());
        ObjectNode spec = PodFields.object(container.pod());
        JsonNode own = spec.path(PodFields.METADATA);
        spec.remove(PodFields.METADATA);
        ObjectNode labels = metadata.putObject("labels");
        PodMetadata.labels(task.kind().constraints().tasks().labels(), own).forEach(labels::put);
        labels.put(PodRun.MANAGED_BY, PodRun.MANAGER);
        labels.put("sluice.dev/application", PodRun.label(run.application()));
        labels.put("sluice.dev/task", PodRun.label(run.task()));
        ObjectNode annotations = metadata.putObject("annotations");
        PodMetadata.annotations(own).forEach(annotations::put);
        new TreeMap<>(run.annotations()).forEach(annotations::put);
        annotations.put("sluice.dev/queue", task.application().queue().path());
        annotations.put("sluice.dev/user", task.application().spec().user());

        pod.set("spec", spec);
        spec.put("nodeName", task.node().name());
        spec.put("schedulerName", policy.schedulerName());
        spec.put("restartPolicy", "Never");
        if (!spec.path("serviceAccountName").isTextual()) {
            spec.put("automountServiceAccountToken", false);
        }
        tolerations(spec, task.kind().constraints().tolerations());
        ArrayNode containers = spec.putArray("containers");
        containers.add(container(task, command, container, resources));
        return new NewPod(run, policy.namespace(), run.podName(), task.node().name(), claims(spec), pod);
    }

    private static ObjectNode container(Task task, TaskCommand command, TaskContainer container, Resources resources) {
        ObjectNode object = PodFields.object(container.container());
        object.put("name", CONTAINER).put("image", container.image());
        if (!command.words().isEmpty()) {
            ArrayNode words = object.putArray("command");
            if (command.shell()) {
                words.add("/bin/sh").add("-c");
            }
            command.words().forEach(word -> words.add(literal(word)));
        }
        if (command.directory() != null) {
            object.put("workingDir", command.directory());
        }
        environment(task, command, object);
        ObjectNode amounts = object.withObjectProperty("resources");
        ObjectNode requests = amounts.putObject("requests");
        for (Map.Entry<String, Amount> each : resources.amounts().entrySet()) {
            long value = each.getValue().value();
            String type = each.getKey();
            if (type.equals(ResourceTypes.VCORE)) {
                requests.put("cpu", value + "m");
            } else if (value > 0 && !type.equals(ResourceTypes.SLOTS)) {
                requests.put(type, Long.toString(value));
                if (type.contains("/") || type.startsWith("hugepages-")) {
                    amounts.withObjectProperty("limits").put(type, Long.toString(value));
                }
            }
        }
        return object;
    }

    /** Variables of the task replace those of the container with the same name, and those of the run both. */
    private static void environment(Task task, TaskCommand command, ObjectNode container) {
        Map<String, String> variables = new TreeMap<>(command.environment());
        variables.put("SLUICE_APPLICATION", task.application().id());
        variables.put("SLUICE_TASK", task.id());
        variables.put("SLUICE_TASK_INDEX", Integer.toString(task.ref().position()));
        variables.put("SLUICE_ATTEMPT", Integer.toString(task.attempt()));
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode each : container.path("env")) {
            if (!variables.containsKey(each.path("name").asText())) {
                others.add(each);
            }
        }
        ArrayNode all = container.putArray("env");
        all.addAll(others);
        variables.forEach((name, value) -> all.addObject().put("name", name).put("value", literal(value)));
    }

    /** Returns a text that Kubernetes, which would replace {@code $(NAME)} and {@code $$}, leaves as it is. */
    private static String literal(String text) {
        return text.replace("$", "$$");
    }

    private static void tolerations(ObjectNode spec, List<Toleration> tolerations) {
        ArrayNode all = ApiRequests.object().putArray("tolerations");
        for (Toleration each : tolerations) {
            ObjectNode toleration = all.addObject();
            if (each.key() != null) {
                toleration.put("key", each.key());
            }
            toleration.put("operator", each.operator().wireName());
            if (!each.value().isEmpty()) {
                toleration.put("value", each.value());
            }
            if (each.effect() != null) {
                toleration.put("effect", each.effect().wireName());
            }
            if (each.limit() != null) {
                toleration.put("tolerationSeconds", each.limit().toSeconds());
            }
        }
        if (!all.isEmpty()) {
            spec.set("tolerations", all);
        }
    }

    private static List<String> claims(ObjectNode spec) {
        List<String> claims = new ArrayList<>();
        for (JsonNode volume : spec.path("volumes")) {
            String claim = volume.at("/persistentVolumeClaim/claimName").asText("");
            if (!claim.isEmpty()) {
                claims.add(claim);
            }
        }
        return claims;
    }
}
