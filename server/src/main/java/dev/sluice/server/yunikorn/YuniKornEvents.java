package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** A page of events. */
public record YuniKornEvents(
        @JsonProperty("LowestID") @JsonPropertyDescription("Number of the oldest event that can be read.")
        long lowestId,

        @JsonProperty("HighestID") @JsonPropertyDescription("Number of the newest event.")
        long highestId,

        @JsonProperty("EventRecords") @JsonPropertyDescription("The events.")
        List<EventRecord> eventRecords) {

    /** An event. */
    public record EventRecord(
            @JsonPropertyDescription(
                    "What it is about: 1 a task, 2 an application, 3 a node, 4 a queue or the" + " partition.")
            int type,

            @JsonPropertyDescription("Id of the task, application, node, queue or partition.")
            String objectID,

            @JsonPropertyDescription("Id of the other object, such as the node of a task.") @OptionalField
            String referenceID,

            @JsonPropertyDescription("Type and details of the event.")
            String message,

            @JsonPropertyDescription("Time, in nanoseconds since 1970.")
            long timestampNano,

            @JsonPropertyDescription("0: nothing is added or removed, 1: a value is set, 2: something is added,"
                    + " 3: something is removed.")
            int eventChangeType,

            @JsonPropertyDescription("What changed; 0: nothing that YuniKorn has a number for.")
            int eventChangeDetail,

            @JsonPropertyDescription("Amounts; always empty.")
            Map<String, Long> resource) {}
}
