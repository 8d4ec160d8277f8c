package dev.sluice.runtime.local;

import dev.sluice.core.application.TaskState;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a task that was started.
 *
 * @param task the task's id
 * @param state how it ended; {@code pending} if it was to run again and did not come to it
 * @param attempts how many runs there were
 * @param exitCode what the last run answered, or null if that is not known
 * @param detail what else is known of the last run, for people; may be empty
 * @param placed when the first run was given its place
 * @param ended when the last run ended
 * @param log where its output is
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
