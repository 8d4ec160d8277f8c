package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** What users and groups use of a queue and of the queues below it. */
public record YuniKornUsage(
        @JsonPropertyDescription("Queue path.") String queuePath,
        @JsonPropertyDescription("Allocated amounts.") Map<String, Long> resourceUsage,

        @JsonPropertyDescription("Ids of running applications.")
        List<String> runningApplications,

        @JsonPropertyDescription("Limit of the user or group in this queue, if there is one.") @OptionalField
        Map<String, Long> maxResources,

        @JsonPropertyDescription("Limit of running applications; 0: none.")
        long maxApplications,

        @JsonPropertyDescription("Usage of the queues below it.")
        List<YuniKornUsage> children) {

    /** What a user uses. */
    public record OfUser(
            @JsonPropertyDescription("User name.") String userName,

            @JsonPropertyDescription("Group that counts for the limits of each running application, by application id.")
            Map<String, String> groups,

            @JsonPropertyDescription("Usage of the root queue.")
            YuniKornUsage queues) {}

    /** What a group uses. */
    public record OfGroup(
            @JsonPropertyDescription("Group name.") String groupName,

            @JsonPropertyDescription("Ids of running applications.")
            List<String> applications,

            @JsonPropertyDescription("Usage of the root queue.")
            YuniKornUsage queues) {}
}
