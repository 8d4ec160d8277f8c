package dev.sluice.kubernetes.execution;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.kubernetes.binding.PodRef;
import org.jspecify.annotations.Nullable;

/** What the API server is asked to do with the pod of a run. */
public sealed interface PodRequest {

    /** Returns the run. */
    RunRef run();

    /** Returns its pod. */
    PodRef pod();

    /**
     * The pod is to be bound to a node.
     *
     * @param place the place in a gang that it takes, or null if the task is its own
     */
    record Bind(
            RunRef run, PodRef pod, String node, @Nullable String place) implements PodRequest {

        /** The pod of a task of its own is to be bound to a node. */
        public Bind(RunRef run, PodRef pod, String node) {
            this(run, pod, node, null);
        }
    }

    /**
     * The pod is to end.
     *
     * @param reason why
     */
    record End(RunRef run, PodRef pod, StopReason reason) implements PodRequest {}
}
