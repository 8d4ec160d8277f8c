package dev.sluice.kubernetes.execution;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.kubernetes.binding.PodRef;

/** What the API server is asked to do with the pod of a run. */
public sealed interface PodRequest {

    /** Returns the run. */
    RunRef run();

    /** Returns its pod. */
    PodRef pod();

    /** The pod is to be bound to a node. */
    record Bind(RunRef run, PodRef pod, String node) implements PodRequest {}

    /**
     * The pod is to end.
     *
     * @param reason why
     */
    record End(RunRef run, PodRef pod, StopReason reason) implements PodRequest {}
}
