package dev.sluice.cli.run;

import dev.sluice.core.application.ApplicationState;

/** Shows people how a run goes on. Calls come from one thread at a time, except {@link #interrupted}. */
public interface ProgressView extends AutoCloseable {

    /** An application came into another state. */
    void applicationChanged(ApplicationProgress application, ApplicationState state, String reason);

    /** A task was started. */
    void taskStarted(ApplicationProgress application, String task, String node);

    /**
     * A run of a task is over.
     *
     * @param how what to say of it, such as {@code succeeded} or {@code failed: exit code 1}
     * @param bad whether it failed
     */
    void taskEnded(ApplicationProgress application, String task, String how, boolean bad);

    /** A load class stands otherwise than before. */
    void loadClassChanged(LoadClassProgress loadClass, LoadClassChange change);

    /** Somebody wants everything to stop. For any thread. */
    void interrupted();

    /** Nothing more will come. */
    @Override
    void close();

    /** Shows nothing. */
    static ProgressView none() {
        return new ProgressView() {
            @Override
            public void applicationChanged(ApplicationProgress application, ApplicationState state, String reason) {}

            @Override
            public void taskStarted(ApplicationProgress application, String task, String node) {}

            @Override
            public void taskEnded(ApplicationProgress application, String task, String how, boolean bad) {}

            @Override
            public void loadClassChanged(LoadClassProgress loadClass, LoadClassChange change) {}

            @Override
            public void interrupted() {}

            @Override
            public void close() {}
        };
    }
}
