package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** What the parent's share policy computed for a queue at the start of the last cycle. */
public record ShareView(
        @JsonPropertyDescription("Dominant share, if the parent's share policy is fair.") @OptionalField
        Double dominant,

        @JsonPropertyDescription("Load percentage of the class, if the parent's share policy is load.") @OptionalField
        Integer percent,

        @JsonPropertyDescription("Workers the class is entitled to.") @OptionalField
        Integer entitlement,

        @JsonPropertyDescription("Workers on loan beyond the entitlement.") @OptionalField
        Integer loaned,

        @JsonPropertyDescription("Number of tasks the class may start in the cycle.") @OptionalField
        Integer start,

        @JsonPropertyDescription("Number of pending tasks of the class that could start on an idle worker.")
        @OptionalField
        Integer waiting,

        @JsonPropertyDescription(
                "Usage in core equivalents, if the parent's share policy is usage: amounts of other resources are"
                        + " converted to cores in proportion to the capacity.")
        @OptionalField
        Double usage,

        @JsonPropertyDescription("Usage priority: decayed usage in core equivalents; lower goes first.") @OptionalField
        Double usagePriority,

        @JsonPropertyDescription("The queue's factor.") @OptionalField
        Double factor,

        @JsonPropertyDescription("Usage priority (at least 0.5) times the factor.") @OptionalField
        Double effectivePriority,

        @JsonPropertyDescription(
                "Fraction that the queue is due of what is free and what the children of its parent with startable"
                        + " tasks use; 0 if it has no such tasks.")
        @OptionalField
        Double fraction,

        @JsonPropertyDescription(
                "Resources that the queue is due, if the parent's share policy is usage: this fraction, in base units,"
                        + " within the maxima of the queue and those above.")
        @OptionalField
        Map<String, Long> due,

        @JsonPropertyDescription("Slice of the free capacity, in base units.") @OptionalField
        Map<String, Long> slice) {}
