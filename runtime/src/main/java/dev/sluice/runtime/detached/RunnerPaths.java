package dev.sluice.runtime.detached;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a runner and the mark of its processes.
 *
 * @param records the directory of the runner's records, used by it exclusively; null if its processes are attached
 * @param scratch the directory of the scratch folders of its runs, used by it exclusively, or null; a scratch folder is
 *     the default working directory of detached tasks, that of attached ones is the directory of this program
 * @param logs the directory of all log files, whose subfolders the runner manages; null if log files may be anywhere
 * @param mark the prefix of {@code SLUICE_RUN} in the environment of its processes; unique on this machine, and must
 *     not reveal the other paths to tasks
 */
public record RunnerPaths(
        @Nullable Path records,
        @Nullable Path scratch,
        @Nullable Path logs,
        String mark) {

    /** Returns the paths of a runner whose processes are attached. */
    public static RunnerPaths attached(@Nullable Path scratch, String mark) {
        return new RunnerPaths(null, scratch, null, mark);
    }

    /**
     * Returns whether the processes are attached: there are no records of them, they end with this program, even if it
     * is killed, and inherit its whole environment. Otherwise they are detached: they survive this program, the next
     * runner on the same directories finds them, and they inherit few variables, because they belong to others.
     */
    boolean isAttached() {
        return records == null;
    }
}
