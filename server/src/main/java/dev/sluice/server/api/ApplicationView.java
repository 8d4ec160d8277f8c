package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An application and its state. */
public record ApplicationView(
        @JsonPropertyDescription("Application id, unique in its partition until the application expires.")
        String id,

        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Name shared by recurring runs of the same workload.")
        String name,

        @JsonPropertyDescription("Queue path; absent if no queue accepted the application.") @OptionalField
        String queue,

        @JsonPropertyDescription("User who owns the application.")
        String user,

        @JsonPropertyDescription("Groups of the user.") List<String> groups,

        @JsonPropertyDescription("Key-value tags, for placement rules and users.")
        Map<String, String> tags,

        @JsonPropertyDescription("Tag of the work, if given.") @OptionalField
        String tag,

        @JsonPropertyDescription("Basis of the work, such as a commit, if given.") @OptionalField
        String basis,

        @JsonPropertyDescription("Application state, such as Running.")
        String state,

        @JsonPropertyDescription("Time of the last state change.")
        Instant stateSince,

        @JsonPropertyDescription("Reason for the state, if not obvious.") @OptionalField
        String reason,

        @JsonPropertyDescription("Submission time.") Instant submitted,

        @JsonPropertyDescription("Time since which it has had pending tasks without a break; absent if it has none.")
        @OptionalField
        Instant pendingSince,

        @JsonPropertyDescription("Whether the application is sealed: no more tasks can be added.")
        boolean sealed,

        @JsonPropertyDescription("Whether the application is held: it starts no tasks until it is released.")
        boolean held,

        @JsonPropertyDescription("Instant before which the application starts no tasks; absent once it is reached.")
        @OptionalField
        Instant notBefore,

        @JsonPropertyDescription("Applications it waits for, by id, and how they must end: succeeded, failed or ended.")
        @OptionalField
        Map<String, String> after,

        @JsonPropertyDescription("Policy when a task fails permanently: continue or stop.")
        String onFailure,

        @JsonPropertyDescription("Tasks that start together or not at all, if given.") @OptionalField
        GangView gang,

        @JsonPropertyDescription("Resources allocated to its tasks, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("Number of tasks by state.")
        TaskCounts tasks,

        @JsonPropertyDescription(
                "Task groups as submitted, the first 1,000; only when a single application is requested.")
        @OptionalField
        List<TaskGroupView> groupsOfTasks) {

    /** Returns a copy with these task groups. */
    public ApplicationView withGroupsOfTasks(List<TaskGroupView> newGroups) {
        return new ApplicationView(
                id,
                partition,
                name,
                queue,
                user,
                groups,
                tags,
                tag,
                basis,
                state,
                stateSince,
                reason,
                submitted,
                pendingSince,
                sealed,
                held,
                notBefore,
                after,
                onFailure,
                gang,
                allocated,
                tasks,
                newGroups);
    }
}
