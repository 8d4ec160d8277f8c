package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Map;

/** What waited in a queue and what it was due in a step of a span, on average. */
public record DemandStepView(
        @JsonPropertyDescription("Beginning of the step.") Instant from,

        @JsonPropertyDescription("End of the step.") Instant to,

        @JsonPropertyDescription("Number of measured intervals in the step; 0 if nothing is known about it.")
        int intervals,

        @JsonPropertyDescription("Number of pending tasks.") double pendingTasks,

        @JsonPropertyDescription("Resources requested by pending tasks, in base units.")
        Map<String, Long> pending,

        @JsonPropertyDescription("Resources that the queue was due, in base units.")
        Map<String, Long> due) {}
