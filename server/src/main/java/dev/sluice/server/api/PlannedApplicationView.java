package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** What a planned change means for an application. */
public record PlannedApplicationView(
        @JsonPropertyDescription("Partition.") String partition,
        @JsonPropertyDescription("Application id.") String application,

        @JsonPropertyDescription("Queue path; absent if no queue accepts the application.") @OptionalField
        String queue,

        @JsonPropertyDescription("User who owns the application.")
        String user,

        @JsonPropertyDescription("With the change.") PlanCounts changed,

        @JsonPropertyDescription("Without the change.") PlanCounts unchanged,

        @JsonPropertyDescription("Applications that its tasks would be preempted for, with the change.")
        List<String> preemptedFor,

        @JsonPropertyDescription("Why tasks would wait, with the change.")
        List<WaitView> waiting) {}
