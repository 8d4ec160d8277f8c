package dev.sluice.runtime.detached;

import dev.sluice.runtime.process.ProcessExit;
import java.nio.file.Path;

/** Is told what becomes of runs, on a thread of the runner and always the same one. */
public interface DetachedRunListener {

    /** The process of this run was started, or was found to be running still after a restart. */
    void started(RunKey key, long pid);

    /** The command ended or could not be started. The last that is heard of a run, unless that is {@link #lost}. */
    void ended(RunKey key, ProcessExit exit);

    /**
     * This run was not started because this machine lacks something, such as space on a disk or a free process, or does not let
     * its folders be written. The last that is heard of a run.
     */
    void notStarted(RunKey key, String reason);

    /** A folder that a run left could not be removed. It was moved aside and is in nobody's way. */
    default void notRemoved(Path folder, String reason) {}

    /**
     * Nothing of this run lives, and how its command ended, if it ran at all, is not known. The last that is heard of a run,
     * unless that is {@link #ended}.
     */
    void lost(RunKey key, String reason);
}
