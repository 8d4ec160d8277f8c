package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** What is changed of how a queue divides by load; what is left out stays. */
public record ClassesDocument(
        @JsonPropertyDescription("Load percentages by the names of classes; those that are not named keep theirs.")
        @OptionalField
        Map<String, Integer> percents,

        @JsonPropertyDescription("In percentage points; 0: never.") @OptionalField
        Integer rebalanceThreshold,

        @JsonPropertyDescription("Such as 4m.") @OptionalField
        String rebalanceMinimumDuration) {}
