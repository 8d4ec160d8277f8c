package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** What the share policy of the queue above worked out for a queue when the last cycle began. */
public record ShareView(
        @JsonPropertyDescription("Its dominant share, where the queue above shares by fair.") @OptionalField
        Double dominant,

        @JsonPropertyDescription("The load percentage of the class, where the queue above shares by load.")
        @OptionalField
        Integer percent,

        @JsonPropertyDescription("How many workers the class is entitled to.") @OptionalField
        Integer entitlement,

        @JsonPropertyDescription("How many it has on loan beyond that.") @OptionalField
        Integer loaned,

        @JsonPropertyDescription("How many it was to start.") @OptionalField
        Integer start,

        @JsonPropertyDescription("What it holds, in cores, where the queue above shares by usage.") @OptionalField
        Double usage,

        @JsonPropertyDescription("Its usage, decayed to now, in cores; a lower one goes first.") @OptionalField
        Double usagePriority,

        @JsonPropertyDescription("That, times its factor.") @OptionalField
        Double effectivePriority,

        @JsonPropertyDescription("The fraction of everything that it is due.") @OptionalField
        Double fraction,

        @JsonPropertyDescription("How much of what was free it was due, in base units.") @OptionalField
        Map<String, Long> slice) {}
