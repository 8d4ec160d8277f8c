package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** An explanation why an application or one of its tasks is waiting. */
public record WhyView(
        @JsonPropertyDescription("Application id.") String application,

        @JsonPropertyDescription("Task id, if a task was requested.") @OptionalField
        String task,

        @JsonPropertyDescription("State of the application or task.")
        String state,

        @JsonPropertyDescription("Summary in a sentence.") String summary,

        @JsonPropertyDescription("Wait reasons; empty if no task is waiting.")
        List<WaitView> reasons,

        @JsonPropertyDescription("What a reserved task waits for; absent for others.") @OptionalField
        ReservationView reserved) {}
