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
 * @param delaysMax how often a reservation is put off until it is firm; only on the root queue, null:
 *     {@link #DELAYS_MAX_DEFAULT}
 */
public record ReservationProperties(
        @Nullable Duration delay,
        @Nullable Integer max,
        @Nullable Integer delaysMax) {

    /** The delay of queues that neither have nor inherit one. */
    public static final Duration DELAY_DEFAULT = Duration.ofSeconds(30);

    /** The default maximum number of reservations in a partition. */
    public static final int MAX_DEFAULT = 10;

    /** The default number of delays that makes a reservation firm. */
    public static final int DELAYS_MAX_DEFAULT = 1_000;

    public static final ReservationProperties DEFAULTS = new ReservationProperties(null, null, null);

    /** Creates properties with the default number of delays; throws like the other constructor. */
    public ReservationProperties(@Nullable Duration delay, @Nullable Integer max) {
        this(delay, max, null);
    }

    /** Throws {@link IllegalArgumentException} if a value is negative, or {@code delaysMax} is 0. */
    public ReservationProperties {
        if (delay != null && delay.isNegative()) {
            throw new IllegalArgumentException("reservation delay must be 0 or greater, not " + delay);
        }
        if (max != null && max < 0) {
            throw new IllegalArgumentException("maximum number of reservations must be 0 or greater, not " + max);
        }
        if (delaysMax != null && delaysMax < 1) {
            throw new IllegalArgumentException("maximum number of delays must be 1 or greater, not " + delaysMax);
        }
    }
}
