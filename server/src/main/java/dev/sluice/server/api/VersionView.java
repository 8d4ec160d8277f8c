package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The versions of the program and the API. */
public record VersionView(
        @JsonPropertyDescription("Always sluice.") String name,

        @JsonPropertyDescription("Version of the program.") String version,

        @JsonPropertyDescription("Version of this API.") String api,

        @JsonPropertyDescription("Version of the Java runtime.")
        String java) {}
