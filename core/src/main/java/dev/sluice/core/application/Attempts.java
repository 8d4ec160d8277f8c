package dev.sluice.core.application;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often a task may run and for how long.
 *
 * @param retries how many times it runs again after it failed
 * @param lostRetries how many times it runs again after it was lost, which is no fault of its own and uses no retry
 * @param timeout how long one run may take, or null to leave it to the queue
 */
public record Attempts(
        int retries, int lostRetries, @Nullable Duration timeout) {

    /**
     * How many times a task runs again after it was lost, if it does not say so. Machines break by chance, but hardly eleven times
     * under one task: more likely it breaks them, and must not go through the whole cluster.
     */
    public static final int LOST_RETRIES_DEFAULT = 10;

    /** One run as long as it likes, and others only if it is lost. */
    public static final Attempts DEFAULTS = new Attempts(0, LOST_RETRIES_DEFAULT, null);

    /** Throws {@link IllegalArgumentException} when a value is out of its range. */
    public Attempts {
        if (retries < 0 || lostRetries < 0) {
            throw new IllegalArgumentException("retries must be 0 or greater: " + Math.min(retries, lostRetries));
        }
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException("timeout must be greater than 0: " + timeout);
        }
    }

    /** Of all components, as that of {@link TaskKind}. */
    @Override
    public int hashCode() {
        return 31 * (31 * retries + lostRetries) + (timeout == null ? 0 : timeout.hashCode());
    }
}
