package dev.sluice.runtime.local;

import dev.sluice.runtime.detached.RunnerPaths;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link ProcessExecutor}.
 *
 * @param paths the directories of its runner
 * @param logs the log files
 * @param logMax the maximum size of one log in bytes; {@link Long#MAX_VALUE}: logs are never truncated
 * @param runDirectory the folder that all runs share; null: one folder per application, removed when it has ended
 * @param grace the time between SIGTERM and SIGKILL
 */
public record ProcessSettings(
        RunnerPaths paths,
        LogFolder logs,
        long logMax,
        @Nullable Path runDirectory,
        Duration grace) {}
