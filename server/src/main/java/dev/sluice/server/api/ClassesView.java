package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** The load classes of a queue, and how it divides workers among them. */
public record ClassesView(
        @JsonPropertyDescription("Path of the queue.") String queue,

        @JsonPropertyDescription("Load percentages of its classes.")
        Map<String, Integer> percents,

        @JsonPropertyDescription(
                "Spread above which loans are rebalanced, in percentage points; 0 turns rebalancing off.")
        int rebalanceThreshold,

        @JsonPropertyDescription("How long the spread must exceed the threshold.")
        String rebalanceMinimumDuration,

        @JsonPropertyDescription("Workers divided among the classes at the start of the last cycle.") @OptionalField
        Integer workers,

        @JsonPropertyDescription("Idle workers among them.") @OptionalField
        Integer idle,

        @JsonPropertyDescription("Warnings, such as percentages that do not add up to 100.")
        List<String> warnings) {}
