package dev.sluice.cli.run;

import dev.sluice.runtime.local.ApplicationTally;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Progress of an application.
 *
 * @param id application id
 * @param queue path of the queue, or empty
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
        long tasks,
        long running,
        long succeeded,
        long failed,
        long stopped,
        @Nullable Instant firstStarted,
        Instant now) {

    static ApplicationProgress of(ApplicationTally tally, Instant now) {
        return new ApplicationProgress(
                tally.id(),
                tally.origin().queue(),
                tally.tasks(),
                tally.running(),
                tally.succeeded(),
                tally.failed(),
                tally.stopped(),
                tally.firstPlaced(),
                now);
    }

    long ended() {
        return succeeded + failed + stopped;
    }
}
