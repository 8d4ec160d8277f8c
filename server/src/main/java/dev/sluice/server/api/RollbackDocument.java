package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** The configuration revision to roll back to. */
public record RollbackDocument(
        @JsonPropertyDescription("Revision number.") long revision,

        @JsonPropertyDescription("Note for the history.") @OptionalField
        String note) {}
