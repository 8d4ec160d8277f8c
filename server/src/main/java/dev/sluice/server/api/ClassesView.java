package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** How a queue divides by load, and what it may be changed to while it runs. */
public record ClassesView(
        @JsonPropertyDescription("The path of the queue.") String queue,

        @JsonPropertyDescription("The load percentages of its classes.")
        Map<String, Integer> percents,

        @JsonPropertyDescription("How far apart the classes may be, in percentage points; 0: it never rebalances.")
        int rebalanceThreshold,

        @JsonPropertyDescription("How long they must be further apart before it rebalances.")
        String rebalanceMinimumDuration,

        @JsonPropertyDescription("How many workers it divided when the last cycle began.") @OptionalField
        Integer workers,

        @JsonPropertyDescription("How many of them were idle.") @OptionalField
        Integer idle,

        @JsonPropertyDescription("What looks wrong, such as percentages that do not add up to 100.")
        List<String> warnings) {}
