package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.resource.Resources;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.kubernetes.translation.PodGang;
import dev.sluice.kubernetes.translation.PodRequests;
import dev.sluice.kubernetes.translation.PodTranslation;
import dev.sluice.kubernetes.translation.VolumeLookup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod as far as the scheduler is concerned.
 *
 * @param uid the unique id
 * @param created when it was created, as the API server writes it
 * @param namespace the namespace
 * @param name the name
 * @param node the node to which it is bound, or null
 * @param stage how far it has come
 * @param progress what its node has reported
 * @param requests what it requests in addition to one slot
 * @param translation its task, or null if another scheduler is responsible for it, or this one has created it
 * @param place the place in a gang that it takes, or has taken, instead of a task of its own; null if none
 * @param run the run for which this scheduler has created it, or null
 */
public record ObservedPod(
        String uid,
        String created,
        String namespace,
        String name,
        @Nullable String node,
        Stage stage,
        PodProgress progress,
        Resources requests,
        @Nullable PodTranslation translation,
        @Nullable String place,
        @Nullable PodRun run) {

    /** How far a pod has come. */
    public enum Stage {
        /** It is not to be scheduled yet, because of its scheduling gates. */
        GATED,
        /** It is to be scheduled. */
        PENDING,
        /** It occupies its node. */
        BOUND,
        /** It occupies no node, and never will. */
        ENDED
    }

    /**
     * Describes a pod.
     *
     * @param schedulers the names by which pods name this scheduler
     */
    public static ObservedPod of(Pod pod, Set<String> schedulers) {
        return of(pod, schedulers, null, null, VolumeLookup.NONE);
    }

    /**
     * Describes a pod with what it refers to.
     *
     * @param schedulers the names by which pods name this scheduler
     * @param policy which pods are created for tasks; null for none
     * @param priorityClass its priority class, or null if there is none
     * @param volumes finds its claims
     */
    static ObservedPod of(
            Pod pod,
            Set<String> schedulers,
            @Nullable PodPolicy policy,
            @Nullable PriorityClass priorityClass,
            VolumeLookup volumes) {
        PodSpec spec = pod.getSpec();
        PodRun run = policy == null ? null : PodRun.of(pod, policy);
        PodTranslation translation = run == null && schedulers.contains(spec.getSchedulerName())
                ? PodTranslation.of(pod, priorityClass, volumes)
                : null;
        boolean hasPlace = isBound(spec) && translation != null && translation.taskGroup() != null;
        return new ObservedPod(
                pod.getMetadata().getUid(),
                pod.getMetadata().getCreationTimestamp() == null
                        ? ""
                        : pod.getMetadata().getCreationTimestamp(),
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                isBound(spec) ? spec.getNodeName() : null,
                stage(pod),
                PodProgress.of(pod),
                PodRequests.of(pod),
                translation,
                hasPlace ? PodGang.place(pod) : null,
                run);
    }

    /** Returns it with another translation. */
    ObservedPod withTranslation(PodTranslation newTranslation) {
        return new ObservedPod(
                uid, created, namespace, name, node, stage, progress, requests, newTranslation, place, run);
    }

    private static boolean isBound(PodSpec spec) {
        return spec.getNodeName() != null && !spec.getNodeName().isEmpty();
    }

    static Stage stage(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        if ("Succeeded".equals(phase) || "Failed".equals(phase)) {
            return Stage.ENDED;
        }
        if (isBound(pod.getSpec())) {
            return Stage.BOUND; // also while it is deleted: it occupies its node until it is gone
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return Stage.ENDED;
        }
        return pod.getSpec().getSchedulingGates().isEmpty() ? Stage.PENDING : Stage.GATED;
    }

    /**
     * Returns a copy that is bound to a node, which the API server has accepted but not shown yet.
     *
     * @param newPlace the place in a gang that it takes, or null
     */
    ObservedPod boundTo(String newNode, @Nullable String newPlace) {
        return new ObservedPod(
                uid, created, namespace, name, newNode, Stage.BOUND, progress, requests, translation, newPlace, run);
    }

    /** Returns a copy that takes this place in a gang, or none. */
    ObservedPod withPlace(@Nullable String newPlace) {
        return new ObservedPod(
                uid, created, namespace, name, node, stage, progress, requests, translation, newPlace, run);
    }

    /** Returns the task group of the gang to which it belongs, or null. */
    public @Nullable String taskGroup() {
        return translation == null ? null : translation.taskGroup();
    }

    /** Returns a reference to the pod. */
    public PodRef ref() {
        return new PodRef(namespace, name, uid);
    }

    /** Returns the node that it occupies, or null. */
    @Nullable String occupied() {
        return stage == Stage.BOUND ? node : null;
    }

    /** Returns the key of its task, or of its place, or null if another scheduler is responsible for it. */
    @Nullable TaskKey task() {
        return translation == null
                ? null
                : new TaskKey(
                        translation.identity().application(),
                        place == null ? translation.task().name() : place);
    }

    /** Returns the id of its application, or null if another scheduler is responsible for it. */
    @Nullable String application() {
        return translation == null ? null : translation.identity().application();
    }
}
