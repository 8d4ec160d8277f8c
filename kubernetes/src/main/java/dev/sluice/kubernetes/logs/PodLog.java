package dev.sluice.kubernetes.logs;

import dev.sluice.core.application.TaskRef;
import dev.sluice.kubernetes.creation.PodRun;
import java.time.Instant;

/**
 * The log of a pod that was created for a run.
 *
 * @param run the run
 * @param task its task, in whose log file it belongs
 * @param namespace the namespace of the pod
 * @param placedAt when the run was allocated
 */
public record PodLog(PodRun run, TaskRef task, String namespace, Instant placedAt) {

    String path() {
        return "/api/v1/namespaces/" + namespace + "/pods/" + run.podName() + "/log";
    }
}
