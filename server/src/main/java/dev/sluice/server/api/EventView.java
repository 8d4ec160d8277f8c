package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Map;

/** Something that happened. */
public record EventView(
        @JsonPropertyDescription("Its number; those of the journal are without gaps.")
        long sequence,

        @JsonPropertyDescription("When it was decided.") Instant at,

        @JsonPropertyDescription("What happened, such as task.placed.")
        String type,

        @JsonPropertyDescription("The partition.") String partition,

        @JsonPropertyDescription("What brought it about, such as SubmitApplication or cycle.")
        String action,

        @JsonPropertyDescription("Who brought it about; empty for the scheduler itself.")
        String actor,

        @JsonPropertyDescription("What there is to know about it, by type.")
        Map<String, Object> data) {}
