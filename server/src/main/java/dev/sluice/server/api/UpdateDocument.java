package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** What to change of an application; what is left out stays. */
public record UpdateDocument(
        @JsonPropertyDescription("Queue to move it to; only while none of its tasks is on a node.") @OptionalField
        String queue,

        @JsonPropertyDescription("Name of the tasks to change; defaults to all.") @OptionalField
        String task,

        @JsonPropertyDescription("New priority of the tasks.") @OptionalField
        Integer priority,

        @JsonPropertyDescription("New maximum time of one run, such as 1h; for runs that have not started yet.")
        @OptionalField
        String timeout,

        @JsonPropertyDescription(
                "New amounts of these resource types, such as memory: 8Gi; tasks on nodes keep what they have.")
        @OptionalField
        Map<String, String> resources) {}
