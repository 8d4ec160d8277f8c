package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;

/** Nodes that are reserved for a pending task or gang. */
public record NodeReservationView(
        @JsonPropertyDescription("Application id.") String application,

        @JsonPropertyDescription("Task id; of a gang, its first member.")
        String task,

        @JsonPropertyDescription("Queue path.") String queue,

        @JsonPropertyDescription("Names of the nodes: one for a single task, one or several for a gang.")
        List<String> nodes,

        @JsonPropertyDescription("Time at which the task is expected to start there.")
        Instant start,

        @JsonPropertyDescription("Time of the first reservation for the task.")
        Instant since,

        @JsonPropertyDescription("Number of times the start was put off.")
        int delays) {}
