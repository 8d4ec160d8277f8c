package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationState;
import java.util.List;

/**
 * The result of a local run.
 *
 * @param applications the applications, in the order of submission
 * @param stuck why tasks could not start, one line per application and reason; empty unless the run was abandoned for
 *     that
 * @param interrupted whether the run was interrupted
 */
public record RunResult(List<ApplicationResult> applications, List<String> stuck, boolean interrupted) {

    public RunResult {
        applications = List.copyOf(applications);
        stuck = List.copyOf(stuck);
    }

    /** Returns whether every application succeeded. */
    public boolean isSuccess() {
        return !interrupted && applications.stream().allMatch(result -> result.state() == ApplicationState.COMPLETED);
    }

    /** Returns whether an application failed although its tasks could start. */
    public boolean hasFailures() {
        return stuck.isEmpty() && applications.stream().anyMatch(result -> result.state() == ApplicationState.FAILED);
    }
}
