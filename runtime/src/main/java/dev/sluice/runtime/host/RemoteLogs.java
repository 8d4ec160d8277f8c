package dev.sluice.runtime.host;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Task;
import java.nio.file.Path;
import java.time.Instant;

/** Logs of runs that another system has, and that are copied into the log folder. Thread-safe. */
public interface RemoteLogs {

    /** There are no such logs. */
    RemoteLogs NONE = new RemoteLogs() {};

    /**
     * A run whose log is asked for.
     *
     * @param run the run
     * @param allocation the number of its allocation in the partition
     * @param placedAt when it was allocated
     */
    record Source(RunRef run, long allocation, Instant placedAt) {

        /** Returns the current run of an allocated task. */
        public static Source of(Task task) {
            return new Source(task.run(), task.sequence(), task.placedAt());
        }
    }

    /**
     * Sets the folder of the logs of all partitions, into which they are copied, and the maximum size of one; called
     * before anything else.
     */
    default void copyTo(Path folder, long bytesMax) {}

    /** Begins to copy the log of a run, which continues until the run ends; waits briefly for what there is. */
    default void follow(Source source) {}

    /** Returns whether the rest of the log of a task whose run has ended is still being copied. */
    default boolean isCopying(TaskRef task) {
        return false;
    }
}
