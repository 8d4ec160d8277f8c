package dev.sluice.cli.run;

import dev.sluice.core.application.ApplicationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far an application has come.
 *
 * @param id the application's id
 * @param queue the path of its queue, or empty
 * @param state where it is in its life
 * @param tasks how many tasks it has
 * @param running how many hold a place
 * @param succeeded how many ended well
 * @param failed how many failed for good
 * @param stopped how many were stopped or dropped
 * @param firstStarted when its first task was given a place, or null
 * @param now when this was so
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

    /** How many tasks are over. */
    long ended() {
        return succeeded + failed + stopped;
    }
}
