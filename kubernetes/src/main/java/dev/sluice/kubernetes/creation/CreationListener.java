package dev.sluice.kubernetes.creation;

/** Receives the outcome of each creation, once, on a thread of the creator. */
public interface CreationListener {

    /** Called when the pod exists, whether this request has created it or an earlier one. */
    void created(NewPod pod);

    /**
     * Called when the pod does not exist, as far as known, and will not be created.
     *
     * @param isFinal whether it never can be created; otherwise the same pod may be accepted later
     */
    void failed(NewPod pod, String reason, boolean isFinal);

    /** Called when a pod that was created is gone. */
    void gone(NewPod pod);
}
