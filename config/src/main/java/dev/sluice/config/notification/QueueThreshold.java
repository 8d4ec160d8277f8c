package dev.sluice.config.notification;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A limit of a queue; when it is exceeded for some time, targets are notified.
 *
 * @param partition the partition
 * @param queue the path of the queue
 * @param pending the number of pending tasks that must be exceeded, or null
 * @param usedPercent the used share that must be exceeded, in percent, or null
 * @param duration how long it must be exceeded
 */
public record QueueThreshold(
        String partition,
        String queue,
        @Nullable Long pending,
        @Nullable Integer usedPercent,
        Duration duration) {

    public QueueThreshold {
        if ((pending == null) == (usedPercent == null)) {
            throw new IllegalArgumentException("either pending or usedPercent is required");
        }
    }
}
