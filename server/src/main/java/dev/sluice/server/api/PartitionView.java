package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** A partition at a glance. */
public record PartitionView(
        @JsonPropertyDescription("Its name.") String name,
        @JsonPropertyDescription("How many nodes it has.") int nodes,

        @JsonPropertyDescription("How many of them are ready.")
        int ready,

        @JsonPropertyDescription("What the ready nodes have together, in base units.")
        Map<String, Long> capacity,

        @JsonPropertyDescription("What tasks hold of it, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("How many applications have not ended.")
        long applications,

        @JsonPropertyDescription("How many tasks could be placed now.")
        long pendingTasks,

        @JsonPropertyDescription("How many tasks hold a place.")
        long allocatedTasks,

        @JsonPropertyDescription("The most tasks that may hold a place at once; -1: as many as fit.")
        int tasksMax,

        @JsonPropertyDescription("What lots are drawn with.")
        long seed,

        @JsonPropertyDescription("The order of nodes: fair or binpacking.")
        String nodeSort) {}
