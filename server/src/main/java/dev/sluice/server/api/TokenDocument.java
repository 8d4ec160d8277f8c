package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** A request for an access token. */
public record TokenDocument(
        @JsonPropertyDescription(
                "User whom it authenticates; defaults to the caller. Only an admin creates tokens for others.")
        @OptionalField
        String user,

        @JsonPropertyDescription(
                "The most that it permits: viewer, submitter, agent, operator or admin; at most the caller's role."
                        + " Defaults to submitter.")
        @OptionalField
        String role,

        @JsonPropertyDescription(
                "How long it is valid, such as 12h; at most 3650d, and not longer than the token that creates it."
                        + " Defaults to 90d.")
        @OptionalField
        String expires,

        @JsonPropertyDescription("What it is for.") @OptionalField
        String name) {}
