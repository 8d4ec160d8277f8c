package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** An agent's report about one task run. */
public record ReportDocument(
        @JsonPropertyDescription("Application id.") String application,
        @JsonPropertyDescription("Task id.") String task,

        @JsonPropertyDescription("Number of the run, from 1.")
        int attempt,

        @JsonPropertyDescription("Status: started, succeeded, failed or lost.")
        String status,

        @JsonPropertyDescription("Exit code of the process, if it failed.") @OptionalField
        Integer exitCode,

        @JsonPropertyDescription("Further details.") @OptionalField
        String detail) {}
