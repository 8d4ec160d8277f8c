package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** What became of a signal. */
public record SignalResult(
        @JsonPropertyDescription("Name of the signal.") String signal,

        @JsonPropertyDescription("Number of tasks it was sent to: those that run on this server.")
        int tasks) {}
