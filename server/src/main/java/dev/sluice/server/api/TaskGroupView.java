package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** Tasks that were submitted together and are alike. */
public record TaskGroupView(
        @JsonPropertyDescription("The id of the task; of several the common part.")
        String name,

        @JsonPropertyDescription("How many they are.") int count,

        @JsonPropertyDescription("What each takes, in base units.")
        Map<String, Long> resources,

        @JsonPropertyDescription("A higher one goes first.") int priority,

        @JsonPropertyDescription("How long one is expected to run.") @OptionalField
        String expectedDuration,

        @JsonPropertyDescription("What a node's labels must say.") @OptionalField
        Map<String, String> labels,

        @JsonPropertyDescription("The only node they may run on.") @OptionalField
        String requiredNode,

        @JsonPropertyDescription("The tasks that they wait for, and what must have happened.") @OptionalField
        Map<String, String> after,

        @JsonPropertyDescription("What each does: a program and its arguments, or one text for the shell.")
        @OptionalField
        List<String> command,

        @JsonPropertyDescription("How they stand.") TaskCounts tasks) {}
