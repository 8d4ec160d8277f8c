package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** A queue, its usage and its share. */
public record QueueView(
        @JsonPropertyDescription("Queue path: names from root down, separated by dots.")
        String path,

        @JsonPropertyDescription("Last part of the path.") String name,

        @JsonPropertyDescription("Depth in the tree; 0 for root.")
        int depth,

        @JsonPropertyDescription("Whether the queue is a leaf: it has applications; otherwise it has child queues.")
        boolean leaf,

        @JsonPropertyDescription(
                "active, dynamic (created by a placement rule) or draining (no longer configured; removed when empty).")
        String state,

        @JsonPropertyDescription("Share policy of a parent, sort policy of a leaf.")
        String policy,

        @JsonPropertyDescription("Guaranteed resources, in base units.")
        Map<String, Long> guaranteed,

        @JsonPropertyDescription("Maximum resources, in base units; types not listed are unlimited.")
        Map<String, Long> max,

        @JsonPropertyDescription("Resources allocated to the queue and its descendants, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription(
                "Resources requested by pending tasks of the queue and its descendants, in base units.")
        Map<String, Long> pending,

        @JsonPropertyDescription("Number of pending tasks.") long pendingTasks,

        @JsonPropertyDescription("Number of allocated tasks.")
        long allocatedTasks,

        @JsonPropertyDescription("Number of unfinished applications in the queue and its descendants.")
        long applications,

        @JsonPropertyDescription("Number of applications with allocated tasks.")
        long activeApplications,

        @JsonPropertyDescription("Maximum number of applications with allocated tasks; absent if unlimited.")
        @OptionalField
        Long maxApplications,

        @JsonPropertyDescription(
                "Largest fraction used over all resource types: of the maximum, else of the partition; 1 means all.")
        double used,

        @JsonPropertyDescription("What the parent's share policy computed for the queue.")
        ShareView share,

        @JsonPropertyDescription(
                "Limits of users and groups in the queue, with their usage: the 100 of which the largest fraction is"
                        + " used, users first; absent if there are none.")
        @OptionalField
        List<LimitView> limits) {}
