package dev.sluice.core.configuration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a queue that concern reservations.
 *
 * @param delay how long an application must have pending tasks before a node is reserved for one of them; null:
 *     inherited, {@link #DELAY_DEFAULT} at root
 * @param max the maximum number of reservations in the partition at a time, 0: none; only on the root queue, null:
 *     {@link #MAX_DEFAULT}
 */
public record ReservationProperties(
        @Nullable Duration delay, @Nullable Integer max) {

    /** The delay of queues that neither have nor inherit one. */
    public static final Duration DELAY_DEFAULT = Duration.ofSeconds(30);

    /** The default maximum number of reservations in a partition. */
    public static final int MAX_DEFAULT = 10;

    public static final ReservationProperties DEFAULTS = new ReservationProperties(null, null);

    /** Throws {@link IllegalArgumentException} if a value is negative. */
    public ReservationProperties {
        if (delay != null && delay.isNegative()) {
            throw new IllegalArgumentException("reservation delay must be 0 or greater, not " + delay);
        }
        if (max != null && max < 0) {
            throw new IllegalArgumentException("maximum number of reservations must be 0 or greater, not " + max);
        }
    }
}
