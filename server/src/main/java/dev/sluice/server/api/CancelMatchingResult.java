package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How many applications were cancelled. */
public record CancelMatchingResult(
        @JsonPropertyDescription("Number of applications cancelled, without those already stopping.")
        long cancelled,

        @JsonPropertyDescription("Whether all matching applications were cancelled; if false, repeat the request.")
        boolean complete) {}
