package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationState;
import java.util.List;

/**
 * What became of a local run.
 *
 * @param applications its applications, in the order of submission
 * @param stuck why tasks could never start, a line per application and reason; empty unless the run had to be given up for that
 * @param interrupted whether somebody stopped it
 */
public record RunResult(List<ApplicationResult> applications, List<String> stuck, boolean interrupted) {

    /** Copies the lists. */
    public RunResult {
        applications = List.copyOf(applications);
        stuck = List.copyOf(stuck);
    }

    /** Whether every application ended well. */
    public boolean isSuccess() {
        return !interrupted && applications.stream().allMatch(result -> result.state() == ApplicationState.COMPLETED);
    }
}
