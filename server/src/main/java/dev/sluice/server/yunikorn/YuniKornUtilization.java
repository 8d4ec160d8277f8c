package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** How many nodes of a partition are how far utilised. */
public record YuniKornUtilization(
        @JsonPropertyDescription("Name of the cluster: sluice.")
        String clusterId,

        @JsonPropertyDescription("Partition name.") String partition,

        @JsonPropertyDescription("Utilisation of each resource type.")
        List<OfType> utilizations) {

    /** The utilisation of nodes by a resource type. */
    public record OfType(
            @JsonPropertyDescription("Resource type.") String type,

            @JsonPropertyDescription("Ten ranges of utilisation.")
            List<Range> utilization) {}

    /** The nodes within a range of utilisation. */
    public record Range(
            @JsonPropertyDescription("Range, such as 10-20%.")
            String bucketName,

            @JsonPropertyDescription("Number of nodes.") int numOfNodes,

            @JsonPropertyDescription("Names of the nodes; at most 1000.")
            List<String> nodeNames) {}
}
