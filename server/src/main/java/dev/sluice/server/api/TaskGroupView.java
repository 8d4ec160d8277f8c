package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** Identical tasks that were submitted together. */
public record TaskGroupView(
        @JsonPropertyDescription("Task id; for several tasks the common prefix.")
        String name,

        @JsonPropertyDescription("Number of tasks.") int count,

        @JsonPropertyDescription("Resources of each task, in base units.")
        Map<String, Long> resources,

        @JsonPropertyDescription("Priority; higher goes first.")
        int priority,

        @JsonPropertyDescription("Expected duration of one run.") @OptionalField
        String expectedDuration,

        @JsonPropertyDescription("Required node labels.") @OptionalField
        Map<String, String> nodeSelector,

        @JsonPropertyDescription("Their own labels, by which other tasks select them.") @OptionalField
        Map<String, String> labels,

        @JsonPropertyDescription("Which nodes and tasks they require, prefer and avoid.") @OptionalField
        AffinityView affinity,

        @JsonPropertyDescription("How evenly they are spread over domains.") @OptionalField
        List<TopologySpreadView> topologySpreadConstraints,

        @JsonPropertyDescription("Ports of their nodes that they use alone.") @OptionalField
        List<HostPortView> ports,

        @JsonPropertyDescription("Maximum number of them on one node.") @OptionalField
        Integer perNode,

        @JsonPropertyDescription("Taints of nodes that they tolerate.") @OptionalField
        List<TolerationView> tolerations,

        @JsonPropertyDescription("Name of the only node they may run on.") @OptionalField
        String requiredNode,

        @JsonPropertyDescription("Dependencies: task id to required status.") @OptionalField
        Map<String, String> after,

        @JsonPropertyDescription("Command: a program and its arguments, or one string for the shell.") @OptionalField
        List<String> command,

        @JsonPropertyDescription("Image of the container in which they run.") @OptionalField
        String image,

        @JsonPropertyDescription("Number of tasks by state.")
        TaskCounts tasks) {}
