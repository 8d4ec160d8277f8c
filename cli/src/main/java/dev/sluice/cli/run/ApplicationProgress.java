package dev.sluice.cli.run;

import dev.sluice.core.application.ApplicationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Progress of an application.
 *
 * @param id application id
 * @param queue path of the queue, or empty
 * @param state application state
 * @param tasks number of tasks
 * @param running number of allocated tasks
 * @param succeeded number of succeeded tasks
 * @param failed number of tasks that failed after all retries
 * @param stopped number of stopped or dropped tasks
 * @param firstStarted time of the first allocation, or null
 * @param now time of this progress
 */
public record ApplicationProgress(
        String id,
        String queue,
        ApplicationState state,
        long tasks,
        long running,
        long succeeded,
        long failed,
        long stopped,
        @Nullable Instant firstStarted,
        Instant now) {

    long ended() {
        return succeeded + failed + stopped;
    }
}
