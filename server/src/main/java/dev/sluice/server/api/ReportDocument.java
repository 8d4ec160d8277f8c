package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** What a task runner tells of one run of a task. */
public record ReportDocument(
        @JsonPropertyDescription("The application.") String application,
        @JsonPropertyDescription("The id of the task.") String task,
        @JsonPropertyDescription("Which run of it, from 1.") int attempt,

        @JsonPropertyDescription("started, succeeded, failed or lost.")
        String status,

        @JsonPropertyDescription("What its process answered, if it failed.") @OptionalField
        Integer exitCode,

        @JsonPropertyDescription("What else is known.") @OptionalField
        String detail) {}
