package dev.sluice.core.application;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often a task may run, and for how long.
 *
 * @param retries how often it runs again after a failure
 * @param lostRetries how often it runs again after it was lost, which does not count as a failure and uses no retry
 * @param timeout the maximum duration of one run, or null to inherit it from the queue
 */
public record Attempts(
        int retries, int lostRetries, @Nullable Duration timeout) {

    /**
     * The default number of reruns after a loss. A task that is lost eleven times more likely breaks its nodes than
     * meets broken ones, and must not spread through the whole cluster.
     */
    public static final int LOST_RETRIES_DEFAULT = 10;

    /** No retries, no timeout, and the default number of reruns after a loss. */
    public static final Attempts DEFAULTS = new Attempts(0, LOST_RETRIES_DEFAULT, null);

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Attempts {
        if (retries < 0 || lostRetries < 0) {
            throw new IllegalArgumentException("retries must be 0 or greater: " + Math.min(retries, lostRetries));
        }
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException("timeout must be greater than 0: " + timeout);
        }
    }

    /** Covers all components, see {@link TaskKind#hashCode}. */
    @Override
    public int hashCode() {
        return 31 * (31 * retries + lostRetries) + (timeout == null ? 0 : timeout.hashCode());
    }
}
