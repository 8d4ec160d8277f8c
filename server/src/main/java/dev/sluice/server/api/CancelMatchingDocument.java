package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** Which applications are cancelled, and why. */
public record CancelMatchingDocument(
        @JsonPropertyDescription("Only those in this queue or below it.") @OptionalField
        String queue,

        @JsonPropertyDescription("Only those of this user.") @OptionalField
        String user,

        @JsonPropertyDescription("Only those in this state, such as Accepted.") @OptionalField
        String state,

        @JsonPropertyDescription("Only those with this tag.") @OptionalField
        String tag,

        @JsonPropertyDescription("All that have not ended, where there is no filter.") @OptionalField
        Boolean all,

        @JsonPropertyDescription("Why, for people.") @OptionalField
        String reason) {}
