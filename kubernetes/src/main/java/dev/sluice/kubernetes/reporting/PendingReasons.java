package dev.sluice.kubernetes.reporting;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.explain.AllocationText;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.GangPlaces;
import dev.sluice.kubernetes.reconciliation.ObservedPod;
import dev.sluice.kubernetes.translation.PodTranslation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes why each pod that is not bound waits, in steps, each of which sees the state of its time. It changes
 * nothing. Pods of an application that differ only in their names are explained once.
 *
 * <p>Use an instance for one pass over all pods: call {@link #step} on the scheduler's thread until it is complete,
 * then {@link #answer} on any thread.
 */
public final class PendingReasons {

    private final ClusterView view;
    private final Map<String, List<String>> refusals;
    private final List<Found> found = new ArrayList<>();
    private final Map<TaskKind, WaitReason> reasons = new HashMap<>();
    private @Nullable Explainer explainer;

    // the pod that was visited last, and its application
    private @Nullable String applicationId;
    private @Nullable ObservedPod position;

    /** A pod and why it waits, without the words, which another thread finds. */
    private record Found(
            ObservedPod pod,
            @Nullable WaitReason reason,
            String kind,
            String message,
            @Nullable String node) {}

    /**
     * Creates a pass.
     *
     * @param view the cluster, only used by {@link #step}
     * @param refusals pods that are not scheduled, by unique id, each with the reasons
     */
    public PendingReasons(ClusterView view, Map<String, List<String>> refusals) {
        this.view = view;
        this.refusals = Map.copyOf(refusals);
    }

    /** Continues the pass until the budget is exhausted; returns whether it is complete. */
    public boolean step(Partition partition, Instant now, StepBudget budget) {
        Explainer begun = explainer == null ? new Explainer(partition, now) : explainer;
        explainer = begun;
        while (budget.take()) {
            String id = applicationId;
            ObservedPod next = id == null ? null : view.podAfter(id, position);
            if (id == null || next == null) {
                applicationId = view.applicationAfter(id);
                position = null;
                reasons.clear();
                if (applicationId == null) {
                    return true;
                }
            } else if (visit(begun, partition.application(id), next, budget)) {
                position = next;
            } else {
                return false;
            }
        }
        return false;
    }

    /** Explains a pod; returns false if the budget is exhausted. */
    private boolean visit(Explainer explaining, @Nullable Application application, ObservedPod pod, StepBudget budget) {
        PodTranslation translation = pod.translation();
        if (translation == null || pod.stage() != ObservedPod.Stage.PENDING) {
            return true;
        }
        List<String> refused = refusals.get(pod.uid());
        if (refused != null) {
            found.add(new Found(pod, null, PendingPod.REFUSED, String.join("; ", refused), null));
            return true;
        }
        TaskGroup group = application == null
                ? null
                : application.group(translation.task().name());
        if (group != null) {
            return explain(explaining, pod, group, 0, budget);
        }
        String name = pod.place() == null ? pod.taskGroup() : null; // a pod that takes a place is being bound
        TaskGroup places = application == null || name == null ? null : application.group(name);
        if (places == null || !GangPlaces.arePlaces(places)) {
            return true;
        }
        int index = places.unallocatedIndexes().nextSetBit(0);
        for (Task task : index < 0 ? places.placed() : List.<Task>of()) {
            index = index < 0 && task.isReserved() ? task.index() : index;
        }
        return index < 0 || explain(explaining, pod, places, index, budget);
    }

    /** Explains the task of a pod, or one whose place it is to take; returns false if the budget is exhausted. */
    private boolean explain(Explainer explaining, ObservedPod pod, TaskGroup group, int index, StepBudget budget) {
        Task task = group.placed(index);
        if (task != null && task.isReserved()) {
            String node = task.node().name();
            List<String> parts = new ArrayList<>(List.of(AllocationText.of(task)));
            parts.addAll(view.delaysOn(node));
            found.add(new Found(pod, null, PendingPod.RESERVED, String.join("; ", parts), node));
        } else if (task == null && group.isUnallocated(index)) {
            WaitReason reason = explain(explaining, group, index, budget);
            if (reason == null) {
                return false;
            }
            found.add(new Found(pod, reason, reason.code(), "", null));
        }
        return true;
    }

    /** Explains a task, or returns what is known of equal ones; null if the budget is exhausted. */
    private @Nullable WaitReason explain(Explainer explaining, TaskGroup group, int index, StepBudget budget) {
        boolean isAlone = group.delayed(index) != null
                || group.kind().constraints().tasks().perNode() > 0;
        WaitReason known = isAlone ? null : reasons.get(group.kind());
        if (known != null) {
            return known;
        }
        WaitReason reason = explaining.explain(group, index, budget);
        if (reason != null && !isAlone) {
            reasons.put(group.kind(), reason);
        }
        return reason;
    }

    /** Returns the pods once the pass is complete, by application, and there in the order of their creation. */
    public List<PendingPod> answer() {
        IdentityHashMap<WaitReason, String> words = new IdentityHashMap<>();
        List<PendingPod> all = new ArrayList<>(found.size());
        for (Found each : found) {
            WaitReason reason = each.reason();
            String message = reason == null ? each.message() : words.computeIfAbsent(reason, WaitReason::detail);
            boolean needsNodes = reason == null ? each.node() != null : needsNodes(reason);
            PodRef pod = new PodRef(
                    each.pod().namespace(), each.pod().name(), each.pod().uid());
            all.add(new PendingPod(pod, each.kind(), needsNodes, message, each.node()));
        }
        return all;
    }

    private static boolean needsNodes(WaitReason reason) {
        WaitReason cause = reason instanceof WaitReason.NotPreempting other ? other.cause() : reason;
        return cause instanceof WaitReason.NoNodeFits
                || cause instanceof WaitReason.GangIncomplete
                || cause instanceof WaitReason.HasReservation
                || cause instanceof WaitReason.ReservedFor;
    }
}
