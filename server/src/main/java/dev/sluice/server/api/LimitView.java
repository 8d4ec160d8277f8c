package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** A limit of a user or a group in a queue, and what is used of it. */
public record LimitView(
        @JsonPropertyDescription("Whose limit it is: user or group.")
        String subject,

        @JsonPropertyDescription("The user or the group; * for all groups that are not named.")
        String name,

        @JsonPropertyDescription("Maximum resources, in base units; types not listed are unlimited.")
        Map<String, Long> max,

        @JsonPropertyDescription("Resources allocated in the queue and its descendants, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("Maximum number of running applications; absent if unlimited.") @OptionalField
        Long maxApplications,

        @JsonPropertyDescription("Number of running applications.")
        long activeApplications) {}
