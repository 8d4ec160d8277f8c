package dev.sluice.runtime.local;

import dev.sluice.core.application.TaskState;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task that was started.
 *
 * @param task the id of the task
 * @param state how it ended; {@code pending} if a retry was due but did not start
 * @param attempts the number of runs
 * @param exitCode the exit code of the last run, or null if unknown
 * @param detail a human-readable detail of the last run; may be empty
 * @param placed when the first run was allocated
 * @param ended when the last run ended
 * @param log the log file
 */
public record TaskResult(
        String task,
        TaskState state,
        int attempts,
        @Nullable Integer exitCode,
        String detail,
        Instant placed,
        Instant ended,
        Path log) {}
