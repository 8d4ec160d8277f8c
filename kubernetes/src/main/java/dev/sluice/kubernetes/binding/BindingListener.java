package dev.sluice.kubernetes.binding;

/** Receives the outcome of each binding, once, on a thread of the binder. */
public interface BindingListener {

    /** Called when the pod is bound to the node. */
    void bound(PodRef pod, String node);

    /** Called when the pod is not bound to the node, as far as known, and will not be. */
    void failed(PodRef pod, String node, String reason);
}
