package dev.sluice.runtime.journal;

import java.time.Duration;

/**
 * How long data is kept that the scheduler no longer needs.
 *
 * @param journal how long batches are kept, for history and audit, after a checkpoint made them obsolete
 * @param finished how long ended applications, task runs and the audit log are kept
 * @param idempotency how long idempotency records are kept
 * @param checkpoints the number of checkpoints kept, at least 1
 */
public record Retention(Duration journal, Duration finished, Duration idempotency, int checkpoints) {

    /** The default retention. */
    public static final Retention DEFAULT =
            new Retention(Duration.ofDays(30), Duration.ofDays(365), Duration.ofDays(1), 2);

    /** Throws {@link IllegalArgumentException} if a duration is negative or no checkpoint is kept. */
    public Retention {
        if (journal.isNegative() || finished.isNegative() || idempotency.isNegative() || checkpoints < 1) {
            throw new IllegalArgumentException(
                    "retention times must not be negative, and at least one checkpoint must be kept");
        }
    }
}
