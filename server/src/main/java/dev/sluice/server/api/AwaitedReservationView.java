package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;
import java.util.List;

/** A reservation for which tasks wait: their own, or that of another task. */
public record AwaitedReservationView(
        @JsonPropertyDescription("Names of the nodes; of another task's reservation, the first that would have room.")
        List<String> nodes,

        @JsonPropertyDescription("Time at which the task that has the reservation is expected to start.")
        Instant start,

        @JsonPropertyDescription("Application id of the other task; absent if the reservation is their own.")
        @OptionalField
        String application,

        @JsonPropertyDescription("Task id of the other task; absent if the reservation is their own.") @OptionalField
        String task) {}
