package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The result of cancelling applications by filters. */
public record CancelMatchingResult(
        @JsonPropertyDescription("Number of applications cancelled, without those already stopping.")
        long cancelled,

        @JsonPropertyDescription("Whether all matching applications were cancelled; if false, repeat the request.")
        boolean complete) {}
