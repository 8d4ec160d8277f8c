package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A number at a time; YuniKorn writes it as text. */
public final class YuniKornSample {

    private YuniKornSample() {}

    /** How many applications were active. */
    public record OfApplications(
            @JsonPropertyDescription("Time, in nanoseconds since 1970.")
            long timestamp,

            @JsonPropertyDescription("Number of active applications of all partitions.")
            String totalApplications) {}

    /** How many tasks were allocated. */
    public record OfContainers(
            @JsonPropertyDescription("Time, in nanoseconds since 1970.")
            long timestamp,

            @JsonPropertyDescription("Number of allocated tasks of all partitions.")
            String totalContainers) {}
}
