package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How many tasks are where in their life. */
public record TaskCounts(
        @JsonPropertyDescription("All of them.") long total,

        @JsonPropertyDescription("They wait for other tasks.")
        long waiting,

        @JsonPropertyDescription("They could be placed now.")
        long pending,

        @JsonPropertyDescription("They hold a place.") long allocated,

        @JsonPropertyDescription("They gave their place up to others and have not ended yet.")
        long preempting,

        @JsonPropertyDescription("They ended well.") long succeeded,
        @JsonPropertyDescription("They failed for good.") long failed,

        @JsonPropertyDescription("They were stopped for good or dropped.")
        long stopped) {}
