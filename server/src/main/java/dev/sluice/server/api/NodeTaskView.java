package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;
import java.util.Map;

/** A task on a node. */
public record NodeTaskView(
        @JsonPropertyDescription("Application id.") String application,

        @JsonPropertyDescription("Task id.") String task,

        @JsonPropertyDescription("Queue path.") String queue,

        @JsonPropertyDescription("User who owns the application.")
        String user,

        @JsonPropertyDescription("State, such as running.") String state,

        @JsonPropertyDescription("Resources of the task, in base units.")
        Map<String, Long> resources,

        @JsonPropertyDescription("Time of the allocation.") Instant placed,

        @JsonPropertyDescription("Time it was reported as started.") @OptionalField
        Instant started) {}
