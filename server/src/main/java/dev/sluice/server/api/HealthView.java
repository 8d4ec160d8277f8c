package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Map;

/** How the server is. */
public record HealthView(
        @JsonPropertyDescription(
                "up, degraded (its disk is full, or it cannot start tasks on its machine), stalled (it runs, but the journal cannot be written, so nothing is acknowledged) or down.")
        String status,

        @JsonPropertyDescription("What is wrong, and what would help; empty if all is well.")
        String detail,

        @JsonPropertyDescription(
                "How each part is: journal, checkpoints, scheduler, memory, tasks; disk, if it is full; folders, if some could not be removed.")
        Map<String, String> parts,

        @JsonPropertyDescription("Since when the server runs.")
        Instant since,

        @JsonPropertyDescription("The sequence number of the last event that is safe in the journal.")
        long sequence) {}
