package dev.sluice.runtime.journal;

import java.time.Duration;

/**
 * How long things are kept that the scheduler itself no longer needs.
 *
 * @param journal batches, for history and audit, after a checkpoint has made them needless
 * @param finished applications that have ended, and runs of tasks
 * @param receipts answers to requests that name themselves
 * @param checkpoints how many checkpoints, at least 1
 */
public record Retention(Duration journal, Duration finished, Duration receipts, int checkpoints) {

    /** What holds if nobody says otherwise. */
    public static final Retention DEFAULT =
            new Retention(Duration.ofDays(30), Duration.ofDays(365), Duration.ofDays(1), 2);

    /** Throws {@link IllegalArgumentException} for what makes no sense. */
    public Retention {
        if (journal.isNegative() || finished.isNegative() || receipts.isNegative() || checkpoints < 1) {
            throw new IllegalArgumentException("nothing is kept for less than no time, and one checkpoint at least");
        }
    }
}
