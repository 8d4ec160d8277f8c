package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Map;

/** An event. */
public record EventView(
        @JsonPropertyDescription("Sequence number; the journal's numbers have no gaps.")
        long sequence,

        @JsonPropertyDescription("Time of the decision.") Instant at,

        @JsonPropertyDescription("Event type, such as task.placed.")
        String type,

        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Cause, such as SubmitApplication or cycle.")
        String action,

        @JsonPropertyDescription("User who caused the event; empty for the scheduler itself.")
        String actor,

        @JsonPropertyDescription("Details; the fields depend on the type.")
        Map<String, Object> data) {}
