package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** A task that is allocated to a node. */
public record YuniKornAllocation(
        @JsonPropertyDescription("Task id.") String allocationKey,

        @JsonPropertyDescription("Tags: the name of the pod, or of the task if it is none, as"
                + " kubernetes.io/meta/podName, and the tags of its application below kubernetes.io/meta/.")
        Map<String, String> allocationTags,

        @JsonPropertyDescription("Time of submission, in nanoseconds since 1970.")
        long requestTime,

        @JsonPropertyDescription("Time of the allocation, in nanoseconds since 1970.")
        long allocationTime,

        @JsonPropertyDescription("Time between the two, in nanoseconds.")
        long allocationDelay,

        @JsonPropertyDescription("Task and attempt, such as t-0-1.")
        String allocationID,

        @JsonPropertyDescription("The same, by its former name.")
        String uuid,

        @JsonPropertyDescription("Amounts.") Map<String, Long> resource,
        @JsonPropertyDescription("Priority.") String priority,

        @JsonPropertyDescription("Queue path; empty if it has none.")
        String queueName,

        @JsonPropertyDescription("Node name.") String nodeId,
        @JsonPropertyDescription("Application id.") String applicationId,
        @JsonPropertyDescription("Partition name.") String partition,

        @JsonPropertyDescription("Always false: gangs are not reserved by placeholders.")
        boolean placeholder,

        @JsonPropertyDescription("Always false.") boolean placeholderUsed,

        @JsonPropertyDescription("Whether it is being preempted.")
        boolean preempted) {}
