package dev.sluice.config.snapshot;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The past usage of a queue, which its tasks do not imply.
 *
 * @param partition the partition of the queue
 * @param path the path, such as {@code root.a}
 * @param usagePriority its decayed usage in cores, below a {@code usage} parent; null: 0
 * @param overThresholdSince when the spread below it rose above its threshold; null: it is not above the threshold
 * @param overMaximumSince since when it has used more than its maximum; null: it does not, or since the next cycle
 */
public record QueueEntry(
        String partition,
        String path,
        @Nullable Double usagePriority,
        @Nullable Instant overThresholdSince,
        @Nullable Instant overMaximumSince) {

    /** Throws {@link IllegalArgumentException} for a usage priority that is negative or not finite. */
    public QueueEntry {
        if (usagePriority != null && !(usagePriority >= 0 && !usagePriority.isInfinite())) {
            throw new IllegalArgumentException("usage priority must be 0 or more: " + usagePriority);
        }
    }
}
