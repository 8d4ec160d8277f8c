package dev.sluice.kubernetes.volumes;

import dev.sluice.kubernetes.binding.PodRef;

/** Receives the outcome for each pod, once, on a thread of the selector. */
public interface VolumeListener {

    /** Called when all claims of the pod are bound, so that the pod can be bound to the node. */
    void bound(PodRef pod, String node);

    /** Called when a claim of the pod will not be bound for the node, so that the pod needs another one. */
    void failed(PodRef pod, String node, String reason);
}
