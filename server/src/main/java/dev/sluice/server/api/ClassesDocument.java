package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is changed of how a queue divides by load; what is left out stays. */
public record ClassesDocument(
        @JsonPropertyDescription("Load percentages by the names of classes; those that are not named keep theirs.")
        @Nullable Map<String, Integer> percents,

        @JsonPropertyDescription("In percentage points; 0: never.") @Nullable Integer rebalanceThreshold,

        @JsonPropertyDescription("Such as 4m.") @Nullable String rebalanceMinimumDuration) {}
