package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** The limit of a user or a group that a task waits for. */
public record ReachedLimitView(
        @JsonPropertyDescription("Whose limit it is: user or group.")
        String subject,

        @JsonPropertyDescription("The user or the group; * for all groups that are not named.")
        String name,

        @JsonPropertyDescription("Path of the queue that has the limit.")
        String queue,

        @JsonPropertyDescription("Resource type; absent for the limit of running applications.") @OptionalField
        String resource,

        @JsonPropertyDescription("The limit, in base units.")
        long limit,

        @JsonPropertyDescription("What is used of it.") long used,

        @JsonPropertyDescription("What the task asks for.") long asked) {}
