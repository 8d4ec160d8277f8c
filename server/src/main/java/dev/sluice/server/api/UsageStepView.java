package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Map;

/** What runs used in a step of an interval. */
public record UsageStepView(
        @JsonPropertyDescription("Beginning of the step.") Instant from,

        @JsonPropertyDescription("End of the step; not after the time of the request.")
        Instant to,

        @JsonPropertyDescription("Hours that runs were allocated.")
        double runHours,

        @JsonPropertyDescription("Amount times hours by resource type: core-hours for vcore, byte-hours for memory,"
                + " unit-hours for other types.")
        Map<String, Double> resourceHours) {}
