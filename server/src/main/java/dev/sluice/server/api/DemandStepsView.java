package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What waited in a queue and what it was due over time. */
public record DemandStepsView(
        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Path of the queue.") String queue,

        @JsonPropertyDescription("The steps in order.") List<DemandStepView> items) {}
