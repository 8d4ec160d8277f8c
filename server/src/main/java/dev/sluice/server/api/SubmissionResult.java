package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.ProblemDetails;

/** The result of submitting one application. */
public record SubmissionResult(
        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Application id.") String id,

        @JsonPropertyDescription("Whether the application was accepted.")
        boolean accepted,

        @JsonPropertyDescription(
                "Application state; Rejected means recorded, but accepted by no queue: none of its tasks run.")
        @OptionalField
        String state,

        @JsonPropertyDescription("Queue that accepted the application.") @OptionalField
        String queue,

        @JsonPropertyDescription("Reason for the rejection.") @OptionalField
        String reason,

        @JsonPropertyDescription("Problem if the submission was refused; nothing is recorded then.") @OptionalField
        ProblemDetails problem) {}
