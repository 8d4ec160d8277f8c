package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;

/** A request that changed something, or was refused. */
public record AuditView(
        @JsonPropertyDescription("Unique number, ascending with time.")
        long sequence,

        @JsonPropertyDescription("Time of the answer.") Instant at,

        @JsonPropertyDescription("User who sent the request; absent if unknown.") @OptionalField
        String user,

        @JsonPropertyDescription("How the server knows the user, such as socket or token; none: it does not.")
        String source,

        @JsonPropertyDescription(
                "Address the request came from, or socket, and the proxy that sent it; absent if unknown.")
        @OptionalField
        String address,

        @JsonPropertyDescription("Operation, such as cancelApplication.")
        String route,

        @JsonPropertyDescription("Path of the request.") String target,

        @JsonPropertyDescription("HTTP status of the answer.")
        int status,

        @JsonPropertyDescription("Applications that were submitted, or the reason of a refusal.") @OptionalField
        String detail) {}
