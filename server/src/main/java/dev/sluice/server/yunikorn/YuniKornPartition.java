package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** A partition. */
public record YuniKornPartition(
        @JsonPropertyDescription("Name of the cluster: sluice.")
        String clusterId,

        @JsonPropertyDescription("Partition name.") String name,
        @JsonPropertyDescription("Always Active.") String state,

        @JsonPropertyDescription("Start time of the server, in nanoseconds since 1970.")
        long lastStateTransitionTime,

        @JsonPropertyDescription("Resources of the ready nodes.")
        Capacity capacity,

        @JsonPropertyDescription("Order of nodes.") NodeSorting nodeSortingPolicy,

        @JsonPropertyDescription("Number of nodes.") int totalNodes,

        @JsonPropertyDescription("Number of allocated tasks.")
        int totalContainers,

        @JsonPropertyDescription("Number of applications in each state, and total.")
        Map<String, Integer> applications) {

    /** What the nodes of a partition have. */
    public record Capacity(
            @JsonPropertyDescription("Total amounts.") Map<String, Long> capacity,
            @JsonPropertyDescription("Allocated amounts.") Map<String, Long> usedCapacity,

            @JsonPropertyDescription("Allocated amounts in percent of the total ones.")
            Map<String, Long> utilization) {}

    /** The order in which nodes are tried. */
    public record NodeSorting(
            @JsonPropertyDescription("fair or binpacking.") String type,

            @JsonPropertyDescription("Weight of each resource type.")
            Map<String, Double> resourceWeights) {}
}
