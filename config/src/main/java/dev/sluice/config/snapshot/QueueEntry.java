package dev.sluice.config.snapshot;

import dev.sluice.core.resource.Resources;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What tasks and configuration do not imply about a queue: its past usage, and quotas that were set.
 *
 * @param partition the partition of the queue
 * @param path the path, such as {@code root.a}
 * @param usagePriority its decayed usage in cores, below a {@code usage} parent; null: 0
 * @param overThresholdSince when the spread below it rose above its threshold; null: it is not above the threshold
 * @param overMaximumSince since when it has used more than its maximum; null: it does not, or since the next cycle
 * @param quotas the quotas of a queue that a placement rule created; null: those of the template
 */
public record QueueEntry(
        String partition,
        String path,
        @Nullable Double usagePriority,
        @Nullable Instant overThresholdSince,
        @Nullable Instant overMaximumSince,
        @Nullable Quotas quotas) {

    /**
     * Quotas of a queue.
     *
     * @param guaranteed the guaranteed amount per resource type
     * @param max the maximum per resource type
     * @param maxApplications the maximum number of running applications; 0: unlimited
     */
    public record Quotas(Resources guaranteed, Resources max, long maxApplications) {}

    /** Throws {@link IllegalArgumentException} for a usage priority that is negative or not finite. */
    public QueueEntry {
        if (usagePriority != null && !(usagePriority >= 0 && !usagePriority.isInfinite())) {
            throw new IllegalArgumentException("usage priority must be 0 or more: " + usagePriority);
        }
    }
}
