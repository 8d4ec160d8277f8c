package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/**
 * An application to submit. The record documents the format; the job file reader parses it, because it knows line and
 * column of every value.
 */
public record SubmissionDocument(
        @JsonPropertyDescription("Application id, unique in the partition until it expires; generated if absent.")
        @OptionalField
        String id,

        @JsonPropertyDescription("Name shared by recurring runs of the same workload; defaults to the id.")
        @OptionalField
        String name,

        @JsonPropertyDescription("Queue path, such as root.sandbox; if absent, placement rules choose the queue.")
        @OptionalField
        String queue,

        @JsonPropertyDescription("User who owns the application; defaults to the caller.") @OptionalField
        String user,

        @JsonPropertyDescription("Groups of the user.") @OptionalField
        List<String> groups,

        @JsonPropertyDescription("Key-value tags, for placement rules and users.") @OptionalField
        Map<String, String> tags,

        @JsonPropertyDescription("Tag of the work; a user's applications with the same tag share one priority.")
        @OptionalField
        String tag,

        @JsonPropertyDescription(
                "Basis of the work, such as a commit; replaces the user's applications with the same basis and"
                        + " another tag.")
        @OptionalField
        String basis,

        @JsonPropertyDescription("Whether no more tasks will be added; defaults to false.") @OptionalField
        Boolean sealed,

        @JsonPropertyDescription("Policy when a task fails permanently: continue or stop.") @OptionalField
        String onfailure,

        @JsonPropertyDescription("Tasks.") @OptionalField List<TaskDocument> tasks) {

    /** A task, or several identical tasks. */
    public record TaskDocument(
            @JsonPropertyDescription("Task id, unique in the application; with count, the common prefix of the ids.")
            String id,

            @JsonPropertyDescription(
                    "Number of tasks: 20 of id t are t-0 to t-19; if absent, one task with exactly this id.")
            @OptionalField
            Integer count,

            @JsonPropertyDescription("Resources of each task, such as vcore: 500m, memory: 1Gi; defaults to one core,"
                    + " or to a slot alone if no node has cores.")
            @OptionalField
            Map<String, Object> resources,

            @JsonPropertyDescription("Priority; higher goes first; defaults to 0.") @OptionalField
            Integer priority,

            @JsonPropertyDescription("Expected duration, such as 5m; among equal priorities, longer tasks go first.")
            @OptionalField
            String expectedduration,

            @JsonPropertyDescription("Durations are learned per key.") @OptionalField
            String durationkey,

            @JsonPropertyDescription("Required node labels.") @OptionalField
            Map<String, String> labels,

            @JsonPropertyDescription("Name of the only node it may run on.") @OptionalField
            String requirednode,

            @JsonPropertyDescription("Dependencies: task id to required status, started or succeeded.") @OptionalField
            Map<String, String> after,

            @JsonPropertyDescription("Maximum number of retries after failures; defaults to 0.") @OptionalField
            Integer retries,

            @JsonPropertyDescription("Maximum number of retries after lost runs.") @OptionalField
            Integer lostretries,

            @JsonPropertyDescription("Time limit of one run, such as 10m.") @OptionalField
            String timeout,

            @JsonPropertyDescription("Command: a list of a program and its arguments, or a string for the shell.")
            @OptionalField
            Object command,

            @JsonPropertyDescription("Environment variables of the command.") @OptionalField
            Map<String, String> env,

            @JsonPropertyDescription("Working directory of the command.") @OptionalField
            String directory) {}
}
