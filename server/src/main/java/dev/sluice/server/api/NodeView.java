package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Map;

/** A node and what stands on it. */
public record NodeView(
        @JsonPropertyDescription("Its name.") String name,

        @JsonPropertyDescription("ready, suspended, lost, flaky or offline.")
        String state,

        @JsonPropertyDescription("The same, whether or not it is offline.")
        String health,

        @JsonPropertyDescription("Whether a person took it out.")
        boolean offline,

        @JsonPropertyDescription("Since when it is in this health.")
        Instant healthSince,

        @JsonPropertyDescription("What it has, in base units.")
        Map<String, Long> capacity,

        @JsonPropertyDescription("What tasks hold of it, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("What its labels say.") Map<String, String> labels,

        @JsonPropertyDescription("How many tasks stand on it.")
        int tasks,

        @JsonPropertyDescription("Whether this server itself runs the tasks there; otherwise an agent does.")
        boolean local) {}
