package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** Why an application is cancelled. */
public record CancelDocument(
        @JsonPropertyDescription("Why, for people.") @Nullable String reason) {}
