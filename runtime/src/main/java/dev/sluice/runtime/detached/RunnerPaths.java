package dev.sluice.runtime.detached;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a runner and the mark of its processes.
 *
 * @param records the directory of the runner's records, used by it exclusively
 * @param scratch the directory of the scratch folders of its runs, used by it exclusively
 * @param logs the directory of all log files, whose subfolders the runner manages; null if log files may be anywhere
 * @param mark the prefix of {@code SLUICE_RUN} in the environment of its processes; unique on this machine, and must
 *     not reveal the other paths to tasks
 */
public record RunnerPaths(
        Path records, Path scratch, @Nullable Path logs, String mark) {

    /** Returns paths with the scratch folders next to the records, and a mark derived from their location. */
    public static RunnerPaths withSiblingFolders(Path records) {
        Path absolute = records.toAbsolutePath();
        return new RunnerPaths(
                records, absolute.resolveSibling(absolute.getFileName() + "-scratch"), null, absolute.toString());
    }
}
