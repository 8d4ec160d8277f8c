package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** Pending tasks that would fit on a node. */
public record NodeFitView(
        @JsonPropertyDescription("Application id.") String application,

        @JsonPropertyDescription("Name of the tasks, without their numbers.")
        String task,

        @JsonPropertyDescription("Queue path.") String queue,

        @JsonPropertyDescription("User who owns the application.")
        String user,

        @JsonPropertyDescription("Resources of each task, in base units.")
        Map<String, Long> resources,

        @JsonPropertyDescription("Number of tasks that are pending.")
        int pending,

        @JsonPropertyDescription("Number of them that fit beside each other.")
        int fits) {}
