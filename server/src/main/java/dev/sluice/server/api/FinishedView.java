package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;
import java.util.Map;

/** A finished application, as it was when it ended; it may have been retried since. */
public record FinishedView(
        @JsonPropertyDescription("Sequence number of the event that ended the application.")
        long sequence,

        @JsonPropertyDescription("Application id; it may have been reused since.")
        String id,

        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Name shared by recurring runs of the same workload.")
        String name,

        @JsonPropertyDescription("Queue path; absent if no queue accepted the application.") @OptionalField
        String queue,

        @JsonPropertyDescription("User who owned the application.")
        String user,

        @JsonPropertyDescription("Final state: Completed, Failed or Rejected.")
        String state,

        @JsonPropertyDescription("Reason for the final state, if not obvious.") @OptionalField
        String reason,

        @JsonPropertyDescription("Submission time.") Instant submitted,

        @JsonPropertyDescription("End time.") Instant ended,

        @JsonPropertyDescription("Number of runs that were stopped, from the submission to this end, by reason, such as"
                + " priority or timeout; absent if none was.")
        @OptionalField
        Map<String, Long> stops) {}
