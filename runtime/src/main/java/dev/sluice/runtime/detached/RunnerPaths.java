package dev.sluice.runtime.detached;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a runner keeps what, and how its processes are known.
 *
 * @param records the directory of what it must know of its runs, which belongs to it alone
 * @param scratch the directory of the scratch folders of its runs, which belongs to it alone
 * @param logs the directory that all log files are below, or null if they may be anywhere; folders below it are the runner's
 * @param mark what {@code SLUICE_RUN} of its processes begins with; no other runner on this machine has the same, and it tells tasks
 *     nothing about where the rest is
 */
public record RunnerPaths(
        Path records, Path scratch, @Nullable Path logs, String mark) {

    /** With scratch folders beside the records, and marked by where they are. */
    public static RunnerPaths withSiblingFolders(Path records) {
        Path absolute = records.toAbsolutePath();
        return new RunnerPaths(
                records, absolute.resolveSibling(absolute.getFileName() + "-scratch"), null, absolute.toString());
    }
}
