package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How many tasks of a partition may hold a place at once. */
public record ThrottleDocument(
        @JsonPropertyDescription("How many; 0: nothing starts; -1: as many as fit.")
        int tasksMax) {}
