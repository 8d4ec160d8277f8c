package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;

/** What a partition's resources were used for in an interval. */
public record UsageReport(
        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Beginning of the interval.")
        Instant from,

        @JsonPropertyDescription("End of the interval; not after the time of the request.")
        Instant to,

        @JsonPropertyDescription("What usage is grouped by: queue, user, application or node.")
        List<String> by,

        @JsonPropertyDescription("Usage of each group.") List<UsageView> items,

        @JsonPropertyDescription("Usage of all groups.") UsageView total) {}
