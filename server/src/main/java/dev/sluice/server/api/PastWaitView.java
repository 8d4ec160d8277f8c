package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;

/** A time in which most waiting tasks of an application had the same reason. */
public record PastWaitView(
        @JsonPropertyDescription("When the reason was read first.")
        Instant from,

        @JsonPropertyDescription(
                "When the reason was known to hold last: exact to 10 seconds once it has changed or ended,"
                        + " to 5 minutes while it lasts.")
        Instant seen,

        @JsonPropertyDescription("Reason code, such as quota or no-node-fits.")
        String code,

        @JsonPropertyDescription("The reason in a sentence, as it was at first.")
        String detail,

        @JsonPropertyDescription("Number of tasks that waited for it, as it was at first.")
        long tasks) {}
