package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Whether a configuration could be applied. */
public record YuniKornValidation(
        @JsonPropertyDescription("Whether it could be applied.")
        boolean allowed,

        @JsonPropertyDescription("Why it could not be applied, a line per problem; empty if it could.")
        String reason) {}
