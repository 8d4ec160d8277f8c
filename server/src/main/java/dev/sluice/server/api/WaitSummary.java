package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/**
 * How long tasks waited, from the submission of the application to their first allocation, in seconds; without tasks
 * that depend on others and applications that were submitted with hold, notbefore or after.
 */
public record WaitSummary(
        @JsonPropertyDescription("Number of tasks whose wait is known.")
        long count,

        @JsonPropertyDescription("Mean wait; 0 without tasks.")
        double mean,

        @JsonPropertyDescription("Median, exact to 1 %.") double p50,

        @JsonPropertyDescription("90th percentile, exact to 1 %.")
        double p90) {}
