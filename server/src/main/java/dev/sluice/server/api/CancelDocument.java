package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** Why an application is cancelled. */
public record CancelDocument(
        @JsonPropertyDescription("Reason, shown to users.") @OptionalField
        String reason) {}
