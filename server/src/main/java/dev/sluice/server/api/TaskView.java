package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;

/** A task, or a run of it. */
public record TaskView(
        @JsonPropertyDescription("Its id, unique in its application.")
        String id,

        @JsonPropertyDescription(
                "waiting, pending, reserved, starting, running, stopping, preempting, succeeded, failed or stopped.")
        String state,

        @JsonPropertyDescription("Which run of it this is, from 1; 0 before the first.")
        int attempt,

        @JsonPropertyDescription("Where it runs or ran.") @OptionalField
        String node,

        @JsonPropertyDescription("When it was given its place.") @OptionalField
        Instant placed,

        @JsonPropertyDescription("When it was reported as started.") @OptionalField
        Instant started,

        @JsonPropertyDescription("When it ended.") @OptionalField
        Instant ended,

        @JsonPropertyDescription("How the run ended, such as failed or lost; a task may be pending again after that.")
        @OptionalField
        String outcome,

        @JsonPropertyDescription("What its process answered.") @OptionalField
        Integer exitCode,

        @JsonPropertyDescription("What else is known of its end.") @OptionalField
        String detail) {}
