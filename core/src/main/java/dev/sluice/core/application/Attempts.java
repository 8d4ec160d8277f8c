package dev.sluice.core.application;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often a task may run, for how long, and whether a run may be preempted.
 *
 * @param retries whether and when it runs again after a failure
 * @param lostRetries how often it runs again after it was lost, which does not count as a failure and uses no retry
 * @param timeout the maximum duration of one run, or null to inherit it from the queue
 * @param preemptible whether a run may be preempted
 */
public record Attempts(
        Retries retries, int lostRetries, @Nullable Duration timeout, boolean preemptible) {

    /**
     * The default number of reruns after a loss. A task that is lost eleven times more likely breaks its nodes than
     * meets broken ones, and must not spread through the whole cluster.
     */
    public static final int LOST_RETRIES_DEFAULT = 10;

    /** No retries, no timeout, the default number of reruns after a loss, and preemptible. */
    public static final Attempts DEFAULTS = new Attempts(Retries.NONE, LOST_RETRIES_DEFAULT, null, true);

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Attempts {
        if (lostRetries < 0) {
            throw new IllegalArgumentException("lost retries must be 0 or greater: " + lostRetries);
        }
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException("timeout must be greater than 0: " + timeout);
        }
    }

    /** Creates attempts that may be preempted. */
    public Attempts(Retries retries, int lostRetries, @Nullable Duration timeout) {
        this(retries, lostRetries, timeout, true);
    }

    /** Creates attempts with retries that have no delay, which may be preempted. */
    public Attempts(int retries, int lostRetries, @Nullable Duration timeout) {
        this(Retries.of(retries), lostRetries, timeout);
    }

    public Attempts withRetries(Retries newRetries) {
        return new Attempts(newRetries, lostRetries, timeout, preemptible);
    }

    public Attempts withLostRetries(int newLostRetries) {
        return new Attempts(retries, newLostRetries, timeout, preemptible);
    }

    public Attempts withTimeout(@Nullable Duration newTimeout) {
        return new Attempts(retries, lostRetries, newTimeout, preemptible);
    }

    public Attempts withPreemptible(boolean mayBePreempted) {
        return new Attempts(retries, lostRetries, timeout, mayBePreempted);
    }

    /** Covers all components, see {@link TaskKind#hashCode}. */
    @Override
    public int hashCode() {
        int hash = 31 * (31 * retries.hashCode() + lostRetries) + (timeout == null ? 0 : timeout.hashCode());
        return preemptible ? hash : ~hash;
    }
}
