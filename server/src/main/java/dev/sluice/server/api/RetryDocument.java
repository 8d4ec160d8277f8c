package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** Which tasks of an application to retry. */
public record RetryDocument(
        @JsonPropertyDescription("Whether all tasks run again, not only unsuccessful ones; defaults to false.")
        @OptionalField
        Boolean all) {}
