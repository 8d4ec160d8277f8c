package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;
import java.util.Map;

/** The tasks of an application that start together or not at all. */
public record GangView(
        @JsonPropertyDescription("Number of tasks of each task group that must start together.")
        Map<String, Integer> tasks,

        @JsonPropertyDescription("What happens after the timeout: soft (tasks start one by one) or hard (it fails).")
        String style,

        @JsonPropertyDescription("How long the gang may wait, such as 15m.")
        String timeout,

        @JsonPropertyDescription("What happens when a member is lost: continue or restart.")
        String onLoss,

        @JsonPropertyDescription("Label whose domains may hold the gang, if given.") @OptionalField
        String topologyKey,

        @JsonPropertyDescription("Whether all members must be in one such domain; absent without a topology.")
        @OptionalField
        Boolean topologyRequired,

        @JsonPropertyDescription("Since when the gang waits; absent if it does not.") @OptionalField
        Instant waitingSince,

        @JsonPropertyDescription("Whether its timeout has passed, so that its tasks start one by one.")
        boolean timedOut) {}
