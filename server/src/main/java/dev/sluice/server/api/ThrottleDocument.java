package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How many tasks of a partition may hold a place at once. */
public record ThrottleDocument(
        @JsonPropertyDescription("Maximum number of allocated tasks; 0 starts nothing, -1 means unlimited.")
        int tasksMax) {}
