package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** The taints of nodes that tasks tolerate, in the form of Kubernetes. */
public record TolerationView(
        @JsonPropertyDescription("The key of the taints; omitted: any.") @OptionalField
        String key,

        @JsonPropertyDescription("How the value is compared: Equal or Exists.")
        String operator,

        @JsonPropertyDescription("The value of the taints.") @OptionalField
        String value,

        @JsonPropertyDescription("The effect of the taints; omitted: any.") @OptionalField
        String effect,

        @JsonPropertyDescription("How long a running task stays on a node that gets such a taint; omitted: for ever.")
        @OptionalField
        Long tolerationSeconds) {}
