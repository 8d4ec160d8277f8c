package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.TaskSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pod as the scheduler knows it, or why it is refused.
 *
 * @param identity whose the pod is, and where it belongs
 * @param task the specification of its task, which runs once: replacing pods that end is left to their owner
 * @param taskGroup the task group of its gang to which it belongs, or null
 * @param gang the gang that it declares for its application, or null
 * @param refusals what cannot be honoured, each with the field or annotation, what is wrong and how to fix it; empty if
 *     the pod is accepted
 */
public record PodTranslation(
        PodIdentity identity,
        TaskSpec task,
        @Nullable String taskGroup,
        @Nullable PodGang gang,
        List<String> refusals) {

    /** The annotation of the pods with which YuniKorn reserves the capacity of a gang. */
    private static final String PLACEHOLDER = Metadata.YUNIKORN + "placeholder";

    /** The annotation of YuniKorn with which a pod protects itself from preemption. */
    private static final String ALLOW_PREEMPTION = Metadata.YUNIKORN + "allow-preemption";

    /**
     * How often the node of a pod may be removed before the pod is bound: as often as it happens. A pod that was bound
     * is never run again.
     */
    private static final int LOST_RETRIES = 1_000_000;

    /** A pod is not run again after a failure. */
    private static final Attempts ONCE = new Attempts(0, LOST_RETRIES, null);

    /** Copies the list. */
    public PodTranslation {
        refusals = List.copyOf(refusals);
    }

    /** Translates a pod without a priority class and volumes that it refers to. */
    public static PodTranslation of(Pod pod) {
        return of(pod, null, VolumeLookup.NONE);
    }

    /**
     * Translates a pod.
     *
     * @param priorityClass its priority class, or null if there is none
     * @param volumes finds its claims
     */
    public static PodTranslation of(Pod pod, @Nullable PriorityClass priorityClass, VolumeLookup volumes) {
        Refusals refusals = new Refusals();
        PodSpec spec = pod.getSpec();
        PodIdentity identity = PodIdentity.of(pod, refusals);
        TaskSpec task = TaskSpec.single(identity.task(), PodRequests.of(pod))
                .withPriority(priority(pod))
                .withAttempts(ONCE.withPreemptible(isPreemptible(pod, priorityClass, refusals)))
                .withDurationKey(durationKey(pod, identity))
                .withConstraints(new PodVolumes(pod, volumes, refusals).addTo(constraints(pod, refusals)));
        refuseUnsupported(spec, refusals);
        if ("true".equals(new Metadata(pod).annotation(PLACEHOLDER))) {
            refusals.add(
                    "annotation " + PLACEHOLDER,
                    "a placeholder of YuniKorn only holds capacity for its gang, and gangs need none here: delete the pod");
        }
        GangAnnotations annotations = new GangAnnotations(pod, refusals);
        PodGang gang = annotations.gang();
        if (gang != null && identity.alone()) {
            refusals.add(
                    "annotation " + GangAnnotations.GROUPS,
                    "no other pod can join: name the application with label " + Metadata.YUNIKORN + "app-id");
        }
        return new PodTranslation(identity, task, annotations.taskGroup(), gang, refusals.reasons());
    }

    /** Returns the priority of a pod, which the API server derives from its priority class. */
    static int priority(Pod pod) {
        Integer priority = pod.getSpec().getPriority();
        return priority == null ? 0 : priority;
    }

    /** Returns whether the pod is accepted. */
    public boolean isAccepted() {
        return refusals.isEmpty();
    }

    private static Constraints constraints(Pod pod, Refusals refusals) {
        try {
            return new PodConstraints(
                            pod.getMetadata().getNamespace(), pod.getMetadata().getLabels(), refusals)
                    .of(pod.getSpec());
        } catch (IllegalArgumentException e) { // a value of a later version of Kubernetes
            refusals.add("spec", String.valueOf(e.getMessage()));
            return Constraints.NONE;
        }
    }

    /** The annotation of the pod decides, otherwise that of its class, as in YuniKorn. */
    private static boolean isPreemptible(Pod pod, @Nullable PriorityClass priorityClass, Refusals refusals) {
        String allowed = new Metadata(pod).annotation(ALLOW_PREEMPTION);
        if (allowed != null && !allowed.equals("true") && !allowed.equals("false")) {
            refusals.add("annotation " + ALLOW_PREEMPTION, "\"" + allowed + "\": must be \"true\" or \"false\"");
        }
        return allowed == null ? priorityClass == null || allowsPreemption(priorityClass) : !allowed.equals("false");
    }

    /** Returns whether the pod itself says if it may be preempted, so that its priority class does not count. */
    public static boolean decidesPreemption(Pod pod) {
        return new Metadata(pod).annotation(ALLOW_PREEMPTION) != null;
    }

    /** Returns it with a task that may, or may not, be preempted. */
    public PodTranslation withPreemptible(boolean preemptible) {
        Attempts attempts = task.attempts().withPreemptible(preemptible);
        return new PodTranslation(identity, task.withAttempts(attempts), taskGroup, gang, refusals);
    }

    /** Returns whether pods of a priority class may be preempted: unless it is annotated otherwise. */
    public static boolean allowsPreemption(PriorityClass priorityClass) {
        return !"false".equals(new Metadata(priorityClass).annotation(ALLOW_PREEMPTION));
    }

    /** Pods of one owner, or of one role of a Spark application, last about equally long. */
    private static String durationKey(Pod pod, PodIdentity identity) {
        String role = new Metadata(pod).label("spark-role");
        String key = role == null ? identity.applicationName() : identity.applicationName() + "." + role;
        return key.length() <= TaskSpec.NAME_LENGTH_MAX ? key : key.substring(0, TaskSpec.NAME_LENGTH_MAX);
    }

    private static void refuseUnsupported(PodSpec spec, Refusals refusals) {
        if (!spec.getResourceClaims().isEmpty()) {
            refusals.add(
                    "spec.resourceClaims",
                    "dynamic resource allocation is not supported: request an extended resource,"
                            + " such as nvidia.com/gpu");
        }
        if (spec.getSchedulingGroup() != null) {
            refusals.add(
                    "spec.schedulingGroup",
                    "pod groups are not supported: describe the gang with yunikorn.apache.org/task-groups");
        }
        if ("Never".equals(spec.getPreemptionPolicy())) {
            refusals.add(
                    "spec.preemptionPolicy",
                    "Never is not supported: remove it, or set preemption.policy of the queue to disabled");
        }
    }
}
