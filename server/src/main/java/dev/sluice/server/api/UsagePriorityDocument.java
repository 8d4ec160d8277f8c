package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The usage priority of a queue. */
public record UsagePriorityDocument(
        @JsonPropertyDescription("In cores, 0 or more; a lower one goes first.")
        double priority) {}
