package dev.sluice.kubernetes.reporting;

import dev.sluice.kubernetes.binding.PodRef;

/** Receives what is written to the status of pods, on threads of the timer. */
public interface ConditionListener {

    /**
     * Called when a reason is shown in the status of a pod.
     *
     * @param isNewKind whether the kind of the reason was not shown before
     */
    void shown(PendingPod pod, boolean isNewKind);

    /** Called when the API server refuses a reason for good, such as without a permission. */
    void failed(PodRef pod, String reason);
}
