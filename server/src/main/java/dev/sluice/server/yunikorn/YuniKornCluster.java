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
        String clusterName) {}
