package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** What a partition or one of its queues used over time. */
public record UsageStepsView(
        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Path of the queue; absent for all queues.") @OptionalField
        String queue,

        @JsonPropertyDescription("The steps in order.") List<UsageStepView> items) {}
