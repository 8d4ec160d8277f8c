package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** An application. */
public record YuniKornApplication(
        @JsonPropertyDescription("Application id.") String applicationID,
        @JsonPropertyDescription("Allocated amounts.") Map<String, Long> usedResource,

        @JsonPropertyDescription("Amounts that pending tasks request.")
        Map<String, Long> pendingResource,

        @JsonPropertyDescription("Partition name.") String partition,

        @JsonPropertyDescription("Queue path; empty if no queue accepted it.")
        String queueName,

        @JsonPropertyDescription("Time of submission, in nanoseconds since 1970.")
        long submissionTime,

        @JsonPropertyDescription("Time at which it ended, in nanoseconds since 1970.") @OptionalField
        Long finishedTime,

        @JsonPropertyDescription("Task groups with pending tasks; at most 1000.")
        List<Request> requests,

        @JsonPropertyDescription("Allocated tasks; at most 1000.")
        List<YuniKornAllocation> allocations,

        @JsonPropertyDescription("State, such as Running.") String applicationState,
        @JsonPropertyDescription("User.") String user,
        @JsonPropertyDescription("Groups of the user.") List<String> groups,

        @JsonPropertyDescription("Why it was rejected; empty if it was not.")
        String rejectedMessage,

        @JsonPropertyDescription("The current state and its time.")
        List<StateChange> stateLog,

        @JsonPropertyDescription("Whether tasks have preempted others and wait for them to end.")
        boolean hasReserved,

        @JsonPropertyDescription("Highest priority of its tasks.")
        int maxRequestPriority) {

    /** The pending tasks of a task group. */
    public record Request(
            @JsonPropertyDescription("Task group.") String allocationKey,
            @JsonPropertyDescription("Tags.") Map<String, String> allocationTags,

            @JsonPropertyDescription("Time of submission, in nanoseconds since 1970.")
            long requestTime,

            @JsonPropertyDescription("Amounts of each task.")
            Map<String, Long> resource,

            @JsonPropertyDescription("Number of pending tasks.")
            int pendingCount,

            @JsonPropertyDescription("Priority.") String priority,

            @JsonPropertyDescription("Node that they require; empty: any.")
            String requiredNodeId,

            @JsonPropertyDescription("Application id.") String applicationId,
            @JsonPropertyDescription("Partition name.") String partition,

            @JsonPropertyDescription("Always false: gangs are not reserved by placeholders.")
            boolean placeholder,

            @JsonPropertyDescription("Task group, if they are members of a gang.")
            String taskGroupName) {}

    /** A state that an application has entered. */
    public record StateChange(
            @JsonPropertyDescription("Time, in nanoseconds since 1970.")
            long time,

            @JsonPropertyDescription("State, such as Running.")
            String applicationState) {}
}
