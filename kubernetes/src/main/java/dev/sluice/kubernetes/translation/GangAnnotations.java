package dev.sluice.kubernetes.translation;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the annotations with which YuniKorn describes gangs ("Gang Scheduling" in its documentation).
 *
 * <p>Each task group becomes a specification of as many tasks as it has members at least; these tasks start together.
 * Pods of the group then take their places, also pods that exist only once another member runs, as Spark executors do.
 */
final class GangAnnotations {

    private static final String NAME = Metadata.YUNIKORN + "task-group-name";
    static final String GROUPS = Metadata.YUNIKORN + "task-groups";
    private static final String PARAMETERS = Metadata.YUNIKORN + "schedulingPolicyParameters";
    private static final String TIMEOUT = "placeholderTimeoutInSeconds";
    private static final String STYLE = "gangSchedulingStyle";
    private static final Resources NO_CORES = Resources.of(ResourceTypes.VCORE, 0);

    private final Pod pod;
    private final Metadata metadata;
    private final Refusals refusals;

    GangAnnotations(Pod pod, Refusals refusals) {
        this.pod = pod;
        this.metadata = new Metadata(pod);
        this.refusals = refusals;
    }

    /** A task group as it is annotated. */
    private record TaskGroup(
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("minMember") int minMember,
            @JsonProperty("labels") @Nullable Map<String, String> labels,
            @JsonProperty("minResource") @Nullable Map<String, Quantity> minResource,
            @JsonProperty("nodeSelector") @Nullable Map<String, String> nodeSelector,
            @JsonProperty("tolerations") @Nullable List<Toleration> tolerations,
            @JsonProperty("affinity") @Nullable Affinity affinity,

            @JsonProperty("topologySpreadConstraints") @Nullable List<TopologySpreadConstraint> topologySpreadConstraints) {}

    /** Returns the name of the task group to which the pod belongs, or null. */
    @Nullable String taskGroup() {
        return metadata.annotation(NAME);
    }

    /** Returns the gang that the pod declares, or null if it declares none, or one that is refused. */
    @Nullable PodGang gang() {
        List<TaskGroup> groups = JsonAnnotation.read(
                metadata,
                GROUPS,
                new TypeReference<>() {},
                "[{\"name\": \"worker\", \"minMember\": 2, \"minResource\": {\"cpu\": \"1\"}}]",
                refusals);
        if (groups == null || groups.isEmpty()) {
            return null;
        }
        SortedMap<String, Integer> minimums = new TreeMap<>();
        List<TaskSpec> tasks = new ArrayList<>();
        for (TaskGroup group : groups) {
            TaskSpec task = task(group);
            if (task == null) {
                return null;
            }
            if (minimums.put(task.name(), task.size()) != null) {
                refuse(GROUPS, "duplicate task group " + task.name());
                return null;
            }
            tasks.add(task);
        }
        String own = taskGroup();
        if (own != null && !minimums.containsKey(own)) {
            refuse(NAME, "task group " + own + " is not in " + GROUPS + ": add it there");
        }
        return gang(minimums, tasks);
    }

    private @Nullable PodGang gang(SortedMap<String, Integer> minimums, List<TaskSpec> tasks) {
        long members = minimums.values().stream().mapToLong(Integer::longValue).sum();
        if (members > Gang.MEMBERS_MAX) {
            refuse(GROUPS, "has " + members + " members: at most " + Gang.MEMBERS_MAX + " are allowed");
            return null;
        }
        Gang gang = Gang.of(minimums);
        String parameters = metadata.annotation(PARAMETERS);
        for (String parameter :
                parameters == null ? new String[0] : parameters.trim().split("\\s+")) {
            String[] parts = parameter.split("=", 2);
            String value = parts.length == 2 ? parts[1] : "";
            gang = switch (parts[0]) {
                case TIMEOUT -> gang.withTimeout(timeout(value));
                case STYLE -> gang.withStyle(style(value));
                default -> gang; // the annotation may have parameters of others
            };
        }
        return new PodGang(gang, tasks);
    }

    private Duration timeout(String value) {
        if (!value.matches("[0-9]{1,9}") || value.matches("0+")) {
            refuse(PARAMETERS, TIMEOUT + "=" + value + ": must be a number of seconds greater than 0");
            return Gang.TIMEOUT_DEFAULT;
        }
        return Duration.ofSeconds(Long.parseLong(value));
    }

    private Gang.Style style(String value) {
        if (!value.equals("Soft") && !value.equals("Hard")) {
            refuse(PARAMETERS, STYLE + "=" + value + ": must be Soft or Hard");
        }
        return value.equals("Hard") ? Gang.Style.HARD : Gang.Style.SOFT;
    }

    /** The API server does not validate annotations, so their values may be missing or out of range. */
    private @Nullable TaskSpec task(TaskGroup group) {
        String name = group.name();
        if (name == null || name.isEmpty() || group.minMember() < 1) {
            refuse(GROUPS, "each task group needs a name, and a minMember greater than 0");
            return null;
        }
        try {
            Resources resources = group.minResource() == null
                    ? Resources.NONE
                    : Amounts.of(group.minResource()).resources();
            TaskSpec task = TaskSpec.of(name, group.minMember(), resources.plus(NO_CORES));
            return task.withPriority(PodTranslation.priority(pod)).withConstraints(constraints(group));
        } catch (IllegalArgumentException | NullPointerException e) {
            refuse(GROUPS, "task group " + name + " is not valid: " + e.getMessage());
            return null;
        }
    }

    private Constraints constraints(TaskGroup group) {
        Map<String, String> labels = group.labels();
        Map<String, String> selector = group.nodeSelector();
        List<Toleration> tolerations = group.tolerations();
        List<TopologySpreadConstraint> spread = group.topologySpreadConstraints();
        return new PodConstraints(pod.getMetadata().getNamespace(), labels == null ? Map.of() : labels, refusals)
                .of(
                        "annotation " + GROUPS,
                        selector == null ? Map.of() : selector,
                        group.affinity(),
                        tolerations == null ? List.of() : tolerations,
                        spread == null ? List.of() : spread);
    }

    private void refuse(String key, String problem) {
        refusals.add("annotation " + key, problem);
    }
}
