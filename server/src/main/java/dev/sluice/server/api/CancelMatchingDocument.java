package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** Filters for cancelling applications, and the reason. */
public record CancelMatchingDocument(
        @JsonPropertyDescription("Path of a queue; matches its descendants too.") @OptionalField
        String queue,

        @JsonPropertyDescription("User.") @OptionalField String user,

        @JsonPropertyDescription("Application state, such as Accepted.") @OptionalField
        String state,

        @JsonPropertyDescription("Tag.") @OptionalField String tag,

        @JsonPropertyDescription("Cancel all unfinished applications; required when there is no filter.") @OptionalField
        Boolean all,

        @JsonPropertyDescription("Reason, shown to users.") @OptionalField
        String reason) {}
