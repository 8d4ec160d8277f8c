package dev.sluice.runtime.host;

import dev.sluice.core.application.RunRef;

/** Decides what happens when an executor cannot start runs. Thread-safe. */
public interface StartFailures extends AutoCloseable {

    /** For executors whose runs always start. */
    StartFailures NONE = new StartFailures() {
        @Override
        public void started() {}

        @Override
        public void notStarted(RunRef run, String reason) {
            throw new IllegalStateException(run + " was not started: " + reason);
        }
    };

    /** Records that a run has started. */
    void started();

    /** Handles the report that a run was not started. */
    void notStarted(RunRef run, String reason);

    @Override
    default void close() {}
}
