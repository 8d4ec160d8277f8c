package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** A queue and how it stands. */
public record QueueView(
        @JsonPropertyDescription("The names from root down, with dots between them.")
        String path,

        @JsonPropertyDescription("The last part of the path.")
        String name,

        @JsonPropertyDescription("How many queues are above it.")
        int depth,

        @JsonPropertyDescription("Whether it holds applications; otherwise it holds queues.")
        boolean leaf,

        @JsonPropertyDescription(
                "active, dynamic (a placement rule made it) or draining (it has left the configuration and vanishes when it is empty).")
        String state,

        @JsonPropertyDescription("The share policy of a parent, the sort policy of a leaf.")
        String policy,

        @JsonPropertyDescription("What it is guaranteed, in base units.")
        Map<String, Long> guaranteed,

        @JsonPropertyDescription("The most it may use, in base units; what is not named is not limited.")
        Map<String, Long> max,

        @JsonPropertyDescription("What tasks below it hold, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("What tasks below it ask for that could be placed now, in base units.")
        Map<String, Long> pending,

        @JsonPropertyDescription("How many tasks that are.") long pendingTasks,

        @JsonPropertyDescription("How many tasks below it hold a place.")
        long allocatedTasks,

        @JsonPropertyDescription("How many applications in it or below have not ended.")
        long applications,

        @JsonPropertyDescription("How many of them hold a place.")
        long activeApplications,

        @JsonPropertyDescription("How many may at once; left out if that is not limited.") @OptionalField
        Long maxApplications,

        @JsonPropertyDescription(
                "The largest part that it uses of its maximum, else of what is guaranteed, else of the partition; 1 is all.")
        double used,

        @JsonPropertyDescription("What it is due.") ShareView share) {}
