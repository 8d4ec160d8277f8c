package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** Which configuration shall hold again. */
public record RollbackDocument(
        @JsonPropertyDescription("Its number.") long revision,

        @JsonPropertyDescription("Why, for the history.") @Nullable String note) {}
