package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        BeneficiaryView preemptedFor,

        @JsonPropertyDescription("Resources that the task asks for or the run was allocated, in base units.")
        @OptionalField
        Map<String, Long> resources,

        @JsonPropertyDescription("Processor time that all processes of the run have used, user and system, in seconds;"
                + " absent if it is not measured.")
        @OptionalField
        Double cpuSeconds,

        @JsonPropertyDescription("Memory in use at the latest measurement, in bytes; only of running tasks.")
        @OptionalField
        Long memory,

        @JsonPropertyDescription("Peak of the memory of the run, in bytes; absent if it is not measured.")
        @OptionalField
        Long memoryPeak) {

    /** Returns the cores that the run has used on average until its end or now; null if unknown. */
    public @Nullable Double cores(Instant now) {
        if (cpuSeconds == null || started == null) {
            return null;
        }
        double seconds = Duration.between(started, ended == null ? now : ended).toNanos() / 1e9;
        return seconds <= 0 ? null : Double.valueOf(cpuSeconds / seconds);
    }
}
