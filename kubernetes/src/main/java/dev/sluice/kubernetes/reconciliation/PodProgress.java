package dev.sluice.kubernetes.reconciliation;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the node of a pod has reported.
 *
 * @param running whether its containers have been started
 * @param deleting whether it is being deleted
 * @param succeeded whether all its containers have ended successfully
 * @param exitCode the exit code of the first container that failed; null if none is known
 * @param detail why it failed; empty if it did not
 * @param obstacle why a container cannot start, such as an image that cannot be pulled; empty if none is known
 * @param disrupted whether its node or the cluster ended it, not its containers
 */
public record PodProgress(
        boolean running,
        boolean deleting,
        boolean succeeded,
        @Nullable Integer exitCode,
        String detail,
        String obstacle,
        boolean disrupted) {

    /** The reasons of containers that wait for nothing but their turn. */
    private static final Set<String> STARTING = Set.of("ContainerCreating", "PodInitializing");

    /** The reasons with which kubelet refuses or ends a pod, beside those that begin with {@link #OUT_OF}. */
    private static final Set<String> OF_NODE = Set.of(
            "Evicted",
            "NodeAffinity",
            "NodePorts",
            "NodeShutdown",
            "Preempting",
            "Shutdown",
            "UnexpectedAdmissionError");

    private static final String OUT_OF = "OutOf";

    static PodProgress of(Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        ContainerStatus failed = failed(status);
        ContainerStateTerminated end = failed == null ? null : failed.getState().getTerminated();
        return new PodProgress(
                "Running".equals(status.getPhase()),
                pod.getMetadata().getDeletionTimestamp() != null,
                "Succeeded".equals(status.getPhase()),
                end == null ? null : end.getExitCode(),
                "Failed".equals(status.getPhase()) ? detail(status, failed, end) : "",
                "Pending".equals(status.getPhase()) ? obstacle(status) : "",
                isDisrupted(status));
    }

    private static String obstacle(PodStatus status) {
        List<ContainerStatus> containers = new ArrayList<>(status.getInitContainerStatuses());
        containers.addAll(status.getContainerStatuses());
        for (ContainerStatus container : containers) {
            ContainerStateWaiting waiting =
                    container.getState() == null ? null : container.getState().getWaiting();
            if (waiting != null && waiting.getReason() != null && !STARTING.contains(waiting.getReason())) {
                return waiting.getReason() + (waiting.getMessage() == null ? "" : ": " + waiting.getMessage());
            }
        }
        return "";
    }

    /** The condition is that by which jobs of Kubernetes, too, tell disruptions from failures. */
    private static boolean isDisrupted(PodStatus status) {
        String reason = status.getReason();
        return (reason != null && (reason.startsWith(OUT_OF) || OF_NODE.contains(reason)))
                || status.getConditions().stream()
                        .anyMatch(each -> each.getType().equals("DisruptionTarget") && "True".equals(each.getStatus()));
    }

    /** Returns the first container that ended with a failure, or null. */
    private static @Nullable ContainerStatus failed(PodStatus status) {
        List<ContainerStatus> containers = new ArrayList<>(status.getInitContainerStatuses());
        containers.addAll(status.getContainerStatuses());
        for (ContainerStatus container : containers) {
            ContainerStateTerminated end =
                    container.getState() == null ? null : container.getState().getTerminated();
            if (end != null && end.getExitCode() != null && end.getExitCode() != 0) {
                return container;
            }
        }
        return null;
    }

    private static String detail(
            PodStatus status, @Nullable ContainerStatus failed, @Nullable ContainerStateTerminated end) {
        List<String> parts = new ArrayList<>();
        if (status.getReason() != null) {
            parts.add(status.getReason());
        }
        if (status.getMessage() != null) {
            parts.add(status.getMessage());
        }
        if (failed != null && end != null) {
            parts.add("container " + failed.getName()
                    + (end.getReason() == null || end.getReason().equals("Error") ? "" : " (" + end.getReason() + ")")
                    + ": exit code " + end.getExitCode());
        }
        return parts.isEmpty() ? "failed" : String.join(": ", parts);
    }
}
