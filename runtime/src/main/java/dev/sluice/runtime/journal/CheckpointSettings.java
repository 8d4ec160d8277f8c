package dev.sluice.runtime.journal;

import java.time.Duration;

/**
 * When {@link Checkpoints} creates a checkpoint, and what it discards afterwards.
 *
 * @param events the number of events after which a checkpoint is due
 * @param interval the time after which a checkpoint is due, if there are new events
 * @param retry the delay after a failed checkpoint
 * @param retention how long obsolete data is kept
 */
public record CheckpointSettings(long events, Duration interval, Duration retry, Retention retention) {

    /** The default settings. */
    public static final CheckpointSettings DEFAULT =
            new CheckpointSettings(1_000_000, Duration.ofDays(1), Duration.ofMinutes(5), Retention.DEFAULT);

    /** Throws {@link IllegalArgumentException} if a number or duration is not positive. */
    public CheckpointSettings {
        if (events < 1 || interval.compareTo(Duration.ZERO) <= 0 || retry.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException(
                    "events, interval and retry must be greater than 0: " + events + ", " + interval + ", " + retry);
        }
    }
}
