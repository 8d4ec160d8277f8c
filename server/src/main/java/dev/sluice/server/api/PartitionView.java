package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;

/** A summary of a partition. */
public record PartitionView(
        @JsonPropertyDescription("Partition name.") String name,
        @JsonPropertyDescription("Number of nodes.") int nodes,

        @JsonPropertyDescription("Number of ready nodes.") int ready,

        @JsonPropertyDescription("Total capacity of the ready nodes, in base units.")
        Map<String, Long> capacity,

        @JsonPropertyDescription("Allocated resources, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("Number of unfinished applications.")
        long applications,

        @JsonPropertyDescription("Number of pending tasks.") long pendingTasks,

        @JsonPropertyDescription("Number of allocated tasks.")
        long allocatedTasks,

        @JsonPropertyDescription("Maximum number of allocated tasks; -1 means unlimited.")
        int tasksMax,

        @JsonPropertyDescription("Random seed.") long seed,

        @JsonPropertyDescription("Node sort policy: fair or binpacking.")
        String nodeSort,

        @JsonPropertyDescription("Nodes reserved for pending tasks.")
        List<NodeReservationView> reservations) {}
