package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.Audited;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.ProblemDetails;
import java.util.List;

/** The result of submitting one application. */
public record SubmissionResult(
        @JsonPropertyDescription("Partition.") String partition,

        @JsonPropertyDescription("Application id.") String id,

        @JsonPropertyDescription("Whether the application was accepted.")
        boolean accepted,

        @JsonPropertyDescription(
                "Application state; Rejected means recorded, but accepted by no queue: none of its tasks run.")
        @OptionalField
        String state,

        @JsonPropertyDescription("Queue that accepted the application.") @OptionalField
        String queue,

        @JsonPropertyDescription("Reason for the rejection.") @OptionalField
        String reason,

        @JsonPropertyDescription("Problem if the submission was refused; nothing is recorded then.") @OptionalField
        ProblemDetails problem,

        @JsonPropertyDescription("Warnings that did not prevent the submission of this single application.")
        @OptionalField
        List<ProblemDetails.Location> warnings,

        @JsonPropertyDescription("What the next cycle would do with it; only of a dry run.") @OptionalField
        DryRunView dryRun)
        implements Audited {

    @Override
    public String auditDetail() {
        return dryRun != null
                ? id + " (dry run)"
                : problem != null ? id + " refused: " + problem.detail() : id + (accepted ? "" : " rejected");
    }

    @Override
    public boolean hasChanged() {
        return dryRun == null;
    }

    /** Returns the same result with the application's state after a dry run. */
    public SubmissionResult withDryRun(String newState, DryRunView newDryRun) {
        return new SubmissionResult(partition, id, accepted, newState, queue, reason, problem, warnings, newDryRun);
    }
}
