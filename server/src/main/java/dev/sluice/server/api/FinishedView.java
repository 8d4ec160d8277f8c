package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;

/** An application that has ended, as it was then. */
public record FinishedView(
        @JsonPropertyDescription("The number of the event with which it ended.")
        long sequence,

        @JsonPropertyDescription("Its id, which another one may have by now.")
        String id,

        @JsonPropertyDescription("Its partition.") String partition,

        @JsonPropertyDescription("What applications share that do the same work again and again.")
        String name,

        @JsonPropertyDescription("The queue it was in; left out if none took it.") @OptionalField
        String queue,

        @JsonPropertyDescription("Whose it was.") String user,

        @JsonPropertyDescription("How it ended: Completed, Failed or Rejected.")
        String state,

        @JsonPropertyDescription("Why, if that is not plain.") @OptionalField
        String reason,

        @JsonPropertyDescription("When it was submitted.") Instant submitted,

        @JsonPropertyDescription("When it ended.") Instant ended) {}
