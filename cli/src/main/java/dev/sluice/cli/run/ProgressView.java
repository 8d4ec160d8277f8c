package dev.sluice.cli.run;

import dev.sluice.core.application.ApplicationState;

/** Shows the progress of a run. All calls come from one thread, except {@link #interrupted}. */
public interface ProgressView extends AutoCloseable {

    /** Called after a change of an application's state. */
    void applicationChanged(ApplicationProgress application, ApplicationState state, String reason);

    /** Called after the start of a task. */
    void taskStarted(ApplicationProgress application, String task, String node);

    /** Called after the end of a run of a task. */
    void taskEnded(ApplicationProgress application, TaskEnd end);

    /**
     * Called when a task is preempted, except by load classes, which are shown by {@link #loadClassChanged}.
     *
     * @param how such as {@code preempted (guarantee) for report/t-0}
     */
    void taskPreempted(ApplicationProgress application, String task, String how);

    /** Called with a new estimate of the end of the run, at most once per second. */
    default void estimated(RunEstimate estimate) {}

    /** Called after a change of a load class. */
    void loadClassChanged(LoadClassProgress loadClass, LoadClassChange change);

    /**
     * Called before and after the events of an earlier program whose run is resumed: they count, but are not shown one
     * by one.
     */
    default void setRestoring(boolean restoring) {}

    /** Called by any thread when the run is interrupted. */
    void interrupted();

    /** Called after the last event. */
    @Override
    void close();

    /** Returns a view without output. */
    static ProgressView none() {
        return new ProgressView() {
            @Override
            public void applicationChanged(ApplicationProgress application, ApplicationState state, String reason) {}

            @Override
            public void taskStarted(ApplicationProgress application, String task, String node) {}

            @Override
            public void taskEnded(ApplicationProgress application, TaskEnd end) {}

            @Override
            public void taskPreempted(ApplicationProgress application, String task, String how) {}

            @Override
            public void loadClassChanged(LoadClassProgress loadClass, LoadClassChange change) {}

            @Override
            public void interrupted() {}

            @Override
            public void close() {}
        };
    }
}
