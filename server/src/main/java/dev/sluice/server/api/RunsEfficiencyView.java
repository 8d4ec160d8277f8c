package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** What runs with equal resources used. */
public record RunsEfficiencyView(
        @JsonPropertyDescription("Resources that each run was allocated, in base units.")
        Map<String, Long> resources,

        @JsonPropertyDescription("Number of measured runs.") int runs,

        @JsonPropertyDescription("How long they ran together, in seconds.")
        double runSeconds,

        @JsonPropertyDescription("Processor time that they used together, user and system, in seconds.")
        double cpuSeconds,

        @JsonPropertyDescription(
                "Cores that a run used on average: cpuSeconds per runSeconds; absent if they took no" + " time.")
        @OptionalField
        Double cores,

        @JsonPropertyDescription("Part of the allocated cores that was used, such as 0.7 for 70 %; absent if no cores"
                + " were allocated.")
        @OptionalField
        Double cpuEfficiency,

        @JsonPropertyDescription("Highest peak of the memory of a run, in bytes; absent if it was not measured.")
        @OptionalField
        Long memoryPeak,

        @JsonPropertyDescription("That peak as a part of the allocated memory; absent if no memory was allocated.")
        @OptionalField
        Double memoryEfficiency) {}
