package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;

/** A task or one of its runs. */
public record TaskView(
        @JsonPropertyDescription("Task id, unique in its application.")
        String id,

        @JsonPropertyDescription(
                "State: waiting, pending, reserved, starting, running, suspended, stopping, preempting, succeeded, failed or"
                        + " stopped.")
        String state,

        @JsonPropertyDescription("Number of the run, from 1; 0 before the first.")
        int attempt,

        @JsonPropertyDescription("Node the run is or was placed on.") @OptionalField
        String node,

        @JsonPropertyDescription("Time of the allocation.") @OptionalField
        Instant placed,

        @JsonPropertyDescription("Time it was reported as started.") @OptionalField
        Instant started,

        @JsonPropertyDescription("End time.") @OptionalField Instant ended,

        @JsonPropertyDescription(
                "Outcome of the run, such as failed or lost; the task may be pending again afterwards.")
        @OptionalField
        String outcome,

        @JsonPropertyDescription("Exit code of the process.") @OptionalField
        Integer exitCode,

        @JsonPropertyDescription(
                "Further details of the outcome; of an allocated task why it cannot start at present, or its GPUs.")
        @OptionalField
        String detail,

        @JsonPropertyDescription("Why the run is being or was stopped, such as priority, quota or timeout.")
        @OptionalField
        String stopReason,

        @JsonPropertyDescription("For which task an ended run was preempted, if that is known.") @OptionalField
        BeneficiaryView preemptedFor) {}
