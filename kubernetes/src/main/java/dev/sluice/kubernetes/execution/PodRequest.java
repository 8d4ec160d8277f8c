package dev.sluice.kubernetes.execution;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.creation.NewPod;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.kubernetes.logs.PodLog;
import org.jspecify.annotations.Nullable;

/** What the API server is asked to do with the pod of a run. */
public sealed interface PodRequest {

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

    /** The pod of a run is to be created. */
    record Create(RunRef run, NewPod pod) implements PodRequest {}

    /** The log of a pod that has ended, or is about to be stopped, is to be copied. */
    record KeepLog(PodLog log, boolean ended) implements PodRequest {}

    /** The pod of a run cannot start at present, for this reason. */
    record Hindered(PodRun run, PodRef pod, String reason) implements PodRequest {}

    /** The pod of a run that has ended is gone. */
    record Forget(PodRun run) implements PodRequest {}

    /**
     * A pod that was created is no longer needed.
     *
     * @param ended whether it has ended; otherwise no run needs it any more
     */
    record Remove(PodRun run, PodRef pod, boolean ended) implements PodRequest {}
}
