package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The maximum number of allocated tasks of a partition. */
public record ThrottleDocument(
        @JsonPropertyDescription("Maximum number of allocated tasks; 0 starts nothing, -1 means unlimited.")
        int tasksMax) {}
