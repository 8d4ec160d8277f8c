package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Which program answers. */
public record VersionView(
        @JsonPropertyDescription("Always sluice.") String name,

        @JsonPropertyDescription("The version of the program.")
        String version,

        @JsonPropertyDescription("The version of this interface.")
        String api,

        @JsonPropertyDescription("The version of the Java platform.")
        String java) {}
