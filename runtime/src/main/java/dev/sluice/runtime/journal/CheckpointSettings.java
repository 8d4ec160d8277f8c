package dev.sluice.runtime.journal;

import java.time.Duration;

/**
 * When {@link Checkpoints} makes one, and what is discarded then.
 *
 * @param events after so many events
 * @param interval after so long, if anything has happened at all
 * @param retry so long after one that could not be made
 * @param retention how long things are kept
 */
public record CheckpointSettings(long events, Duration interval, Duration retry, Retention retention) {

    /** What holds if nobody says otherwise. */
    public static final CheckpointSettings DEFAULT =
            new CheckpointSettings(1_000_000, Duration.ofDays(1), Duration.ofMinutes(5), Retention.DEFAULT);

    /** Throws {@link IllegalArgumentException} for what would make one after the other. */
    public CheckpointSettings {
        if (events < 1 || interval.compareTo(Duration.ZERO) <= 0 || retry.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException(
                    "there is something between two checkpoints: " + events + " events, " + interval + ", " + retry);
        }
    }
}
