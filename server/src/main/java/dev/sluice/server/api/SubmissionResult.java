package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.Problem;
import org.jspecify.annotations.Nullable;

/** What became of the submission of one application. */
public record SubmissionResult(
        @JsonPropertyDescription("The partition.") String partition,

        @JsonPropertyDescription("The id of the application.")
        String id,

        @JsonPropertyDescription("Whether it was taken in.") boolean accepted,

        @JsonPropertyDescription("Its state; Rejected means that it was taken in, but no queue took it.") @Nullable String state,

        @JsonPropertyDescription("The queue that took it.") @Nullable String queue,

        @JsonPropertyDescription("Why it was rejected.") @Nullable String reason,

        @JsonPropertyDescription("Why it was not taken in.") @Nullable Problem problem) {}
