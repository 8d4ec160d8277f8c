package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;

/** An access token. */
public record TokenView(
        @JsonPropertyDescription("Id, which is not secret.") String id,

        @JsonPropertyDescription("What it is for; may be empty.")
        String name,

        @JsonPropertyDescription("User whom it authenticates.")
        String user,

        @JsonPropertyDescription("The most that it permits.")
        String role,

        @JsonPropertyDescription("Time it was created.") Instant created,

        @JsonPropertyDescription("Time from which it is invalid.")
        Instant expires,

        @JsonPropertyDescription("The secret token; only in the response to its creation.") @OptionalField
        String token) {}
