package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** A node to register or update. */
public record NodeDocument(
        @JsonPropertyDescription("Node name; an update takes it from the path.") @OptionalField
        String name,

        @JsonPropertyDescription("Capacity, such as vcore: 4, memory: 8Gi, slots: 4.")
        Map<String, String> capacity,

        @JsonPropertyDescription("Node labels.") @OptionalField
        Map<String, String> labels,

        @JsonPropertyDescription("All taints of the node. Omitted in an update: they stay.") @OptionalField
        List<TaintDocument> taints) {}
