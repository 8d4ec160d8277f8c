package dev.sluice.kubernetes.reporting;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a pod says about its scheduling.
 *
 * @param version the version of the pod
 * @param isFalse whether the condition {@code PodScheduled} is there, and false
 * @param reason the reason of the condition; empty if there is none
 * @param message the message of the condition; empty if there is none
 * @param nominatedNode the node that is nominated, or null
 */
record ObservedCondition(
        String version,
        boolean isFalse,
        String reason,
        String message,
        @Nullable String nominatedNode) {

    static final String TYPE = "PodScheduled";

    private static final String GATED = "SchedulingGated";

    static ObservedCondition of(Pod pod) {
        String version = text(pod.getMetadata().getResourceVersion());
        if (pod.getStatus() != null) {
            String node = emptyAsNull(text(pod.getStatus().getNominatedNodeName()));
            for (PodCondition each : pod.getStatus().getConditions()) {
                if (TYPE.equals(each.getType())) {
                    return of(version, each.getStatus(), text(each.getReason()), text(each.getMessage()), node);
                }
            }
            return of(version, "", "", "", node);
        }
        return of(version, "", "", "", null);
    }

    /** Reads a pod as the API server answers it. */
    static ObservedCondition of(JsonNode pod) {
        String version = pod.at("/metadata/resourceVersion").asText();
        String node = emptyAsNull(pod.at("/status/nominatedNodeName").asText());
        for (JsonNode each : pod.at("/status/conditions")) {
            if (TYPE.equals(each.path("type").asText())) {
                return of(
                        version,
                        each.path("status").asText(),
                        each.path("reason").asText(),
                        each.path("message").asText(),
                        node);
            }
        }
        return of(version, "", "", "", node);
    }

    private static ObservedCondition of(
            String version, String status, String reason, String message, @Nullable String node) {
        return new ObservedCondition(version, "False".equals(status), reason, message, node);
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Returns whether the pod has scheduling gates, and its condition says so. */
    boolean isGated() {
        return isFalse && reason.equals(GATED);
    }

    boolean shows(PendingPod pod) {
        return isFalse
                && reason.equals(pod.conditionReason())
                && message.equals(pod.message())
                && isNominatedNode(pod.nominatedNode());
    }

    boolean isNominatedNode(@Nullable String node) {
        return nominatedNode == null ? node == null : nominatedNode.equals(node);
    }

    /** Returns whether another version of the pod is older: versions are numbers that grow. */
    boolean isNewerThan(ObservedCondition other) {
        return version.length() == other.version.length()
                ? version.compareTo(other.version) > 0
                : version.length() > other.version.length();
    }
}
