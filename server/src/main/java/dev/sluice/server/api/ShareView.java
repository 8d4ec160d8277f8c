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

        @JsonPropertyDescription("Current usage in cores, if the parent's share policy is usage.") @OptionalField
        Double usage,

        @JsonPropertyDescription("Usage priority: decayed usage in cores; lower goes first.") @OptionalField
        Double usagePriority,

        @JsonPropertyDescription("Usage priority (at least 0.5) times the queue's factor.") @OptionalField
        Double effectivePriority,

        @JsonPropertyDescription("Fraction of all resources the queue is due.") @OptionalField
        Double fraction,

        @JsonPropertyDescription("Slice of the free capacity, in base units.") @OptionalField
        Map<String, Long> slice) {}
