package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** A taint of a node, in the form of Kubernetes. */
public record TaintDocument(
        @JsonPropertyDescription("What the taint is about.") String key,

        @JsonPropertyDescription("More about it.") @OptionalField
        String value,

        @JsonPropertyDescription(
                "What happens to tasks that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute.")
        String effect,

        @JsonPropertyDescription("Time at which the node got a taint NoExecute; ignored in requests.") @OptionalField
        String timeAdded) {}
