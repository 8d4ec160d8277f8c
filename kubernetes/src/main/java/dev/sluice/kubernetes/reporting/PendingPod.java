package dev.sluice.kubernetes.reporting;

import dev.sluice.core.explain.WaitReason;
import dev.sluice.kubernetes.binding.PodRef;
import org.jspecify.annotations.Nullable;

/**
 * A pod that is not bound, and why.
 *
 * @param pod the pod
 * @param kind the kind of reason: the {@linkplain WaitReason#code code} of {@code sluice why}, {@link #REFUSED} or
 *     {@link #RESERVED}
 * @param needsNodes whether it could start on a further node, so that a cluster autoscaler should add one
 * @param message the reason in words
 * @param nominatedNode the node that is reserved for it until preempted pods have ended there, or null
 */
public record PendingPod(
        PodRef pod,
        String kind,
        boolean needsNodes,
        String message,
        @Nullable String nominatedNode) {

    /** The kind of pods that are never scheduled as they are. */
    public static final String REFUSED = "refused";

    /** The kind of pods that start when preempted ones have ended. */
    public static final String RESERVED = "reserved";

    private static final String NEXT_CYCLE = new WaitReason.NextCycle().code();

    /** Returns the reason of the condition {@code PodScheduled}; autoscalers act on {@code Unschedulable} alone. */
    public String conditionReason() {
        return needsNodes ? "Unschedulable" : "SchedulingSkipped";
    }

    /** Returns whether nothing is known that prevents it from being bound soon. */
    public boolean mayStartNext() {
        return kind.equals(NEXT_CYCLE);
    }

    /** Returns whether another one waits for the same kind of reason, with or without a node. */
    boolean isLike(PendingPod other) {
        return kind.equals(other.kind)
                && (nominatedNode == null ? other.nominatedNode == null : nominatedNode.equals(other.nominatedNode));
    }
}
