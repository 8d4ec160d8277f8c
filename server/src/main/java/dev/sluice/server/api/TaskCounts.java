package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** Numbers of tasks by state. */
public record TaskCounts(
        @JsonPropertyDescription("All tasks.") long total,

        @JsonPropertyDescription("Tasks waiting for dependencies.")
        long waiting,

        @JsonPropertyDescription("Pending tasks.") long pending,

        @JsonPropertyDescription("Allocated tasks.") long allocated,

        @JsonPropertyDescription("Preempted tasks that have not ended yet.")
        long preempting,

        @JsonPropertyDescription("Succeeded tasks.") long succeeded,

        @JsonPropertyDescription("Permanently failed tasks.")
        long failed,

        @JsonPropertyDescription("Stopped or dropped tasks.")
        long stopped,

        @JsonPropertyDescription(
                "Suspended tasks, which are among the allocated ones; absent if there are none, and in task groups.")
        @OptionalField
        Integer suspended) {}
