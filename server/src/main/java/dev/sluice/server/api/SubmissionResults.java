package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.Audited;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.ProblemDetails;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The results of submitting several applications, in their order. */
public record SubmissionResults(
        @JsonPropertyDescription("Number of applications accepted.")
        int accepted,

        @JsonPropertyDescription("Number of applications refused or rejected.")
        int refused,

        @JsonPropertyDescription("Result of each application, in the order of the file.")
        List<SubmissionResult> results,

        @JsonPropertyDescription("Warnings that did not prevent the submission; absent if there are none.")
        @OptionalField
        List<ProblemDetails.Location> warnings)
        implements Audited {

    @Override
    public String auditDetail() {
        return results.stream().map(SubmissionResult::auditDetail).collect(Collectors.joining(", "));
    }

    @Override
    public boolean hasChanged() {
        return results.stream().anyMatch(SubmissionResult::hasChanged);
    }

    /** Returns these results with the list changed. */
    public SubmissionResults map(UnaryOperator<List<SubmissionResult>> change) {
        return new SubmissionResults(accepted, refused, change.apply(results), warnings);
    }
}
