package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What ended runs of an application used of what they were allocated. */
public record EfficiencyView(
        @JsonPropertyDescription("Number of the latest ended runs that were looked at, at most 1,000.")
        int runs,

        @JsonPropertyDescription("Those that were measured, by what they were allocated.")
        List<RunsEfficiencyView> items) {}
