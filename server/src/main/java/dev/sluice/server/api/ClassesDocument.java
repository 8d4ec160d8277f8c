package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** Changes of the load classes of a queue; omitted fields stay unchanged. */
public record ClassesDocument(
        @JsonPropertyDescription("Load percentages by class name; classes not named keep theirs.") @OptionalField
        Map<String, Integer> percents,

        @JsonPropertyDescription(
                "Spread above which loans are rebalanced, in percentage points; 0 turns rebalancing off.")
        @OptionalField
        Integer rebalanceThreshold,

        @JsonPropertyDescription("How long the spread must exceed the threshold, such as 4m.") @OptionalField
        String rebalanceMinimumDuration) {}
