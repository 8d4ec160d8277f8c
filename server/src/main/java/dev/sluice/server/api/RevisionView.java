package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;

/** A configuration that holds, or held. */
public record RevisionView(
        @JsonPropertyDescription("Counts from 1.") long revision,
        @JsonPropertyDescription("Since when.") Instant at,

        @JsonPropertyDescription("Who brought it about; empty if that is not known.")
        String by,

        @JsonPropertyDescription("What they said about it.") String note,

        @JsonPropertyDescription("The configuration, as a queues.yaml; left out in lists.") @OptionalField
        String text) {}
