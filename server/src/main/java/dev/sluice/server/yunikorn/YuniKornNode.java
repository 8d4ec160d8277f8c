package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;

/** A node. */
public record YuniKornNode(
        @JsonPropertyDescription("Node name.") String nodeID,
        @JsonPropertyDescription("Node name.") String hostName,

        @JsonPropertyDescription("Its label rack; empty if it has none.")
        String rackName,

        @JsonPropertyDescription("Partition name.") String partition,
        @JsonPropertyDescription("Labels.") Map<String, String> attributes,
        @JsonPropertyDescription("Total amounts.") Map<String, Long> capacity,

        @JsonPropertyDescription("Amounts allocated to tasks.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("Amounts that others use; always empty.")
        Map<String, Long> occupied,

        @JsonPropertyDescription("Amounts that are free.") Map<String, Long> available,

        @JsonPropertyDescription("Allocated amounts in percent of the total ones.")
        Map<String, Long> utilized,

        @JsonPropertyDescription("Allocated tasks; at most 1000.")
        List<YuniKornAllocation> allocations,

        @JsonPropertyDescription("Whether new tasks can be allocated to it.")
        boolean schedulable,

        @JsonPropertyDescription("Whether tasks wait on it until others have ended.")
        boolean isReserved,

        @JsonPropertyDescription("These tasks.") List<String> reservations) {}
