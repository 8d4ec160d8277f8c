package dev.sluice.config.snapshot;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What no task tells about a queue.
 *
 * @param partition the partition it belongs to
 * @param path such as {@code root.a}
 * @param usagePriority its decayed usage, in cores, below a {@code usage} parent; null: not said, which counts as 0
 * @param overThresholdSince since when the spread below it has been above its threshold; null: it is not
 */
public record QueueEntry(
        String partition,
        String path,
        @Nullable Double usagePriority,
        @Nullable Instant overThresholdSince) {

    /** Throws {@link IllegalArgumentException} for a usage priority that is negative or no finite number. */
    public QueueEntry {
        if (usagePriority != null && !(usagePriority >= 0 && !usagePriority.isInfinite())) {
            throw new IllegalArgumentException("a usage priority is 0 or more: " + usagePriority);
        }
    }
}
