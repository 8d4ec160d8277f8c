package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.Problem;
import java.time.Instant;
import java.util.List;

/** A configuration that holds, or held. */
public record RevisionView(
        @JsonPropertyDescription("Counts from 1.") long revision,
        @JsonPropertyDescription("Since when.") Instant at,

        @JsonPropertyDescription("Who brought it about; empty if that is not known.")
        String actor,

        @JsonPropertyDescription("What they said about it.") String note,

        @JsonPropertyDescription("The configuration, as a queues.yaml; left out in lists.") @OptionalField
        String text,

        @JsonPropertyDescription("What looks wrong with a configuration that was applied just now; left out otherwise.")
        @OptionalField
        List<Problem.Location> warnings) {}
