package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How many applications were cancelled. */
public record CancelMatchingResult(
        @JsonPropertyDescription("How many were cancelled; those that were being stopped already do not count.")
        long cancelled,

        @JsonPropertyDescription("Whether that was all; if not, ask again for the rest.")
        boolean complete) {}
