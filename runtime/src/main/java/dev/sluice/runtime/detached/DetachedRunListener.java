package dev.sluice.runtime.detached;

import dev.sluice.runtime.executor.RunExit;
import java.nio.file.Path;

/** Receives the outcome of runs, always on the same thread of the runner. */
public interface DetachedRunListener {

    /** Called when the process of this run has started, or was found running after a restart. */
    void started(RunKey key, long pid);

    /** Called when the command ended or failed to start. The last call for a run, unless {@link #lost} is. */
    void ended(RunKey key, RunExit exit);

    /**
     * Called when this run was not started because of a fault of this machine: for example no disk space, no free
     * process or missing permissions on its folders. The last call for a run.
     */
    void notStarted(RunKey key, String reason);

    /** Called when a folder of a run could not be removed. The folder was renamed and does not block later runs. */
    default void notRemoved(Path folder, String reason) {}

    /**
     * Called when no process of this run is alive and the outcome of its command, if it ran at all, is unknown. The
     * last call for a run, unless {@link #ended} is.
     */
    void lost(RunKey key, String reason);
}
