package dev.sluice.runtime.executor;

import dev.sluice.core.application.RunRef;

/** Receives the reports of an executor: one at a time, and never within a call of the executor. */
public interface ExecutorListener {

    /** Called when the run has started, or was found alive in recovery. */
    void started(RunRef run);

    /** Called when the run has ended by itself or on request. A final report. */
    void ended(RunRef run, RunExit exit);

    /** Called when nothing of the run is alive and its outcome is unknown. A final report. */
    void lost(RunRef run, String reason);

    /**
     * Called when the run was not started because of a fault of this machine, such as a full disk; other runs will most
     * likely fail the same way. A final report.
     */
    void notStarted(RunRef run, String reason);
}
