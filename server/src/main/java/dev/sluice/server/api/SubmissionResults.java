package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What became of each of several submissions, in their order. */
public record SubmissionResults(
        @JsonPropertyDescription("How many were taken in.") int accepted,
        @JsonPropertyDescription("How many were not.") int refused,
        @JsonPropertyDescription("Each of them.") List<SubmissionResult> results) {}
