package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The usage priority of a queue. */
public record UsagePriorityDocument(
        @JsonPropertyDescription("Usage priority in cores, at least 0; lower goes first.")
        double priority) {}
