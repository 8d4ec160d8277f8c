package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node, as it is registered or updated. */
public record NodeDocument(
        @JsonPropertyDescription("Its name; in an update it is taken from the path.") @Nullable String name,

        @JsonPropertyDescription("What it has, such as vcore: 4, memory: 8Gi, slots: 4.")
        Map<String, String> capacity,

        @JsonPropertyDescription("Its labels.") @Nullable Map<String, String> labels) {}
