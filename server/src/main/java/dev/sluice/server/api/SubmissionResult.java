package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.Problem;

/** What became of the submission of one application. */
public record SubmissionResult(
        @JsonPropertyDescription("The partition.") String partition,

        @JsonPropertyDescription("The id of the application.")
        String id,

        @JsonPropertyDescription("Whether it was accepted.") boolean accepted,

        @JsonPropertyDescription(
                "Its state; Rejected: it is recorded, but no queue accepted it and nothing of it runs.")
        @OptionalField
        String state,

        @JsonPropertyDescription("The queue that accepted it.") @OptionalField
        String queue,

        @JsonPropertyDescription("Why it was rejected.") @OptionalField
        String reason,

        @JsonPropertyDescription("Why it was refused; nothing of it is recorded.") @OptionalField
        Problem problem) {}
