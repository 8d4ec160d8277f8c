package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** A node, as it is registered or updated. */
public record NodeDocument(
        @JsonPropertyDescription("Its name; in an update it is taken from the path.") @OptionalField
        String name,

        @JsonPropertyDescription("What it has, such as vcore: 4, memory: 8Gi, slots: 4.")
        Map<String, String> capacity,

        @JsonPropertyDescription("Its labels.") @OptionalField
        Map<String, String> labels) {}
