package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A chunk of a task's log. */
public record LogView(
        @JsonPropertyDescription("Task id.") String task,

        @JsonPropertyDescription("Offset of this chunk, in bytes.")
        long offset,

        @JsonPropertyDescription("Offset of the next chunk, in bytes.")
        long end,

        @JsonPropertyDescription("Whether the task has ended and the log is complete.")
        boolean complete,

        @JsonPropertyDescription("Output of the task.") String text) {}
