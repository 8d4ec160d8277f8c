package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** A gang whose members do not all fit. */
public record IncompleteGangView(
        @JsonPropertyDescription("Number of members that fit at once.")
        int fitting,

        @JsonPropertyDescription("Number of members that must start together.")
        int members,

        @JsonPropertyDescription(
                "Label of the nodes whose value all members must share; absent if they may start anywhere.")
        @OptionalField
        String topologyKey) {}
