package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.ProblemDetails;
import java.time.Instant;
import java.util.List;

/** The current or a previous configuration revision. */
public record RevisionView(
        @JsonPropertyDescription("Revision number, from 1.") long revision,
        @JsonPropertyDescription("Time it was applied.") Instant at,

        @JsonPropertyDescription("User who applied it; empty if unknown.")
        String actor,

        @JsonPropertyDescription("Note given when it was applied.")
        String note,

        @JsonPropertyDescription("Configuration as queues.yaml; absent in lists.") @OptionalField
        String text,

        @JsonPropertyDescription("Warnings about a configuration just applied; absent otherwise.") @OptionalField
        List<ProblemDetails.Location> warnings) {}
