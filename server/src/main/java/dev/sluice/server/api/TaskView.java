package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A task, or a run of it. */
public record TaskView(
        @JsonPropertyDescription("Its id, unique in its application.")
        String id,

        @JsonPropertyDescription(
                "waiting, pending, held, starting, running, stopping, leaving, succeeded, failed or stopped.")
        String state,

        @JsonPropertyDescription("Which run of it this is, from 1; 0 before the first.")
        int attempt,

        @JsonPropertyDescription("Where it runs or ran.") @Nullable String node,

        @JsonPropertyDescription("When it was given its place.") @Nullable Instant placed,

        @JsonPropertyDescription("When it was reported as started.") @Nullable Instant started,

        @JsonPropertyDescription("When it ended.") @Nullable Instant ended,

        @JsonPropertyDescription("How the run ended, such as failed or lost; a task may be pending again after that.")
        @Nullable String outcome,

        @JsonPropertyDescription("What its process answered.") @Nullable Integer exitCode,

        @JsonPropertyDescription("What else is known of its end.") @Nullable String detail) {}
