package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Number of tasks by what a scheduling cycle does with them. */
public record PlanCounts(
        @JsonPropertyDescription("Number of tasks that would start.")
        long starting,

        @JsonPropertyDescription("Number of running tasks that would be preempted.")
        long preempted,

        @JsonPropertyDescription("Number of tasks that would wait after the cycle, with preempted ones.")
        long waiting) {}
