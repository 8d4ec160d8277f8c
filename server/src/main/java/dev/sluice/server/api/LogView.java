package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A part of what a task wrote. */
public record LogView(
        @JsonPropertyDescription("The task.") String task,

        @JsonPropertyDescription("Where this part begins, in bytes.")
        long offset,

        @JsonPropertyDescription("Where the next part begins.")
        long end,

        @JsonPropertyDescription("Whether the task has ended, so that nothing more comes.")
        boolean complete,

        @JsonPropertyDescription("What it wrote.") String text) {}
