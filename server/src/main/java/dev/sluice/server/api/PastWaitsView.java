package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** Why an application waited in the past. */
public record PastWaitsView(
        @JsonPropertyDescription("Application id.") String application,

        @JsonPropertyDescription("The waits, latest first.") List<PastWaitView> items) {}
