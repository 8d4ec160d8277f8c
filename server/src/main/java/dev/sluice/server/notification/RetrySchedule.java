package dev.sluice.server.notification;

import java.time.Duration;

/**
 * When failed deliveries are repeated: after the first delay, then after twice the previous one, up to the longest.
 *
 * @param first the first delay
 * @param longest the longest delay
 */
record RetrySchedule(Duration first, Duration longest) {

    /** The schedule of a server. */
    static final RetrySchedule DEFAULT = new RetrySchedule(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private static final int DOUBLINGS_MAX = 30;

    /** Returns the delay after this number of failures in a row, which is at least 1. */
    Duration delay(int failures) {
        Duration delay = first.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
        return delay.compareTo(longest) < 0 ? delay : longest;
    }
}
