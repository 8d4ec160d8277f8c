package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** The reason for cancelling an application. */
public record CancelDocument(
        @JsonPropertyDescription("Reason, shown to users.") @OptionalField
        String reason) {}
