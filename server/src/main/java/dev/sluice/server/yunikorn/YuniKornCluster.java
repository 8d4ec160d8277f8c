package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;

/** A partition of the cluster with the program that schedules it. */
public record YuniKornCluster(
        @JsonPropertyDescription("Start time of the server, in nanoseconds since 1970.")
        long startTime,

        @JsonPropertyDescription("Names and versions of the programs.")
        List<Map<String, String>> rmBuildInformation,

        @JsonPropertyDescription("Partition name.") String partition,

        @JsonPropertyDescription("Name of the cluster: sluice.")
        String clusterName,

        @JsonPropertyDescription("Number of applications in the scheduler's state.")
        int totalApplications,

        @JsonPropertyDescription("Number of those that were accepted and do not run.")
        int pendingApplications,

        @JsonPropertyDescription("Number of those that run.")
        int runningApplications,

        @JsonPropertyDescription("Number of those that have completed.")
        int completedApplications,

        @JsonPropertyDescription("Number of those that have failed or were rejected.")
        int failedApplications,

        @JsonPropertyDescription("Number of pending and allocated tasks.")
        long totalContainers,

        @JsonPropertyDescription("Number of pending tasks.") long pendingContainers,

        @JsonPropertyDescription("Number of allocated tasks.")
        long runningContainers,

        @JsonPropertyDescription("Always 0: tasks that have failed are in the history.")
        long failedContainers,

        @JsonPropertyDescription("Number of nodes.") int totalNodes,

        @JsonPropertyDescription("Number of nodes that are ready.")
        int activeNodes,

        @JsonPropertyDescription("Number of nodes that are not ready.")
        int failedNodes) {}
