package dev.sluice.kubernetes.eviction;

import dev.sluice.kubernetes.binding.PodRef;

/**
 * Receives the outcome of each request to stop a pod, once, on a thread of the evictor. The end of the pod itself is
 * observed in the cluster.
 */
public interface EvictionListener {

    /** Called when the API server has accepted the request: the pod ends within its grace period. */
    void stopping(PodRef pod);

    /** Called when the pod no longer exists. */
    void gone(PodRef pod);

    /** Called when the pod is not stopped, and will not be unless it is requested again. */
    void failed(PodRef pod, String reason);

    /**
     * Called before the outcome whenever an eviction is waiting for another reason than before.
     *
     * @param reason such as {@code waiting for PodDisruptionBudget team-a/web}
     */
    void waiting(PodRef pod, String reason);
}
