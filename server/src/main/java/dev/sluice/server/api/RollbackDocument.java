package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** Which configuration shall hold again. */
public record RollbackDocument(
        @JsonPropertyDescription("Revision number.") long revision,

        @JsonPropertyDescription("Note for the history.") @OptionalField
        String note) {}
