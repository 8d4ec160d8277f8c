package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.Problem;
import java.util.List;

/** What became of each of several submissions, in their order. */
public record SubmissionResults(
        @JsonPropertyDescription("How many were accepted.") int accepted,

        @JsonPropertyDescription("How many were refused or rejected.")
        int refused,

        @JsonPropertyDescription("Each of them.") List<SubmissionResult> results,

        @JsonPropertyDescription("What looks wrong in the file but did not stand in the way; left out if nothing does.")
        @OptionalField
        List<Problem.Location> warnings) {}
