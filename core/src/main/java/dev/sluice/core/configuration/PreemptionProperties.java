package dev.sluice.core.configuration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a queue that concern preemption. Null means inherited from the parent queue; the policy and the
 * quota delay are not inherited.
 *
 * @param policy whether the tasks below the queue preempt others, and are preempted
 * @param delay how long an application must have pending tasks before others are preempted for them, greater than 0;
 *     {@link #DELAY_DEFAULT} at root
 * @param byPriority whether a task of a leaf may preempt tasks of lower priority of other applications of the same
 *     leaf; false at root
 * @param minimumRuntime how long a task is protected after its start; 0 at root
 * @param quotaDelay how long the queue must have used more than its maximum before its tasks are preempted; 0: never
 */
public record PreemptionProperties(
        PreemptionPolicy policy,
        @Nullable Duration delay,
        @Nullable Boolean byPriority,
        @Nullable Duration minimumRuntime,
        Duration quotaDelay) {

    /** The delay of queues that neither have nor inherit one. */
    public static final Duration DELAY_DEFAULT = Duration.ofSeconds(30);

    public static final PreemptionProperties DEFAULTS =
            new PreemptionProperties(PreemptionPolicy.DEFAULT, null, null, null, Duration.ZERO);

    /** Throws {@link IllegalArgumentException} if a duration is out of range. */
    public PreemptionProperties {
        if (delay != null && (delay.isNegative() || delay.isZero())) {
            throw new IllegalArgumentException("preemption delay must be greater than 0, not " + delay);
        }
        if (minimumRuntime != null && minimumRuntime.isNegative()) {
            throw new IllegalArgumentException("minimum runtime must be 0 or greater, not " + minimumRuntime);
        }
        if (quotaDelay.isNegative()) {
            throw new IllegalArgumentException("quota preemption delay must be 0 or greater, not " + quotaDelay);
        }
    }

    public PreemptionProperties withPolicy(PreemptionPolicy newPolicy) {
        return new PreemptionProperties(newPolicy, delay, byPriority, minimumRuntime, quotaDelay);
    }

    public PreemptionProperties withDelay(@Nullable Duration newDelay) {
        return new PreemptionProperties(policy, newDelay, byPriority, minimumRuntime, quotaDelay);
    }

    public PreemptionProperties withByPriority(@Nullable Boolean enabled) {
        return new PreemptionProperties(policy, delay, enabled, minimumRuntime, quotaDelay);
    }

    public PreemptionProperties withMinimumRuntime(@Nullable Duration duration) {
        return new PreemptionProperties(policy, delay, byPriority, duration, quotaDelay);
    }

    public PreemptionProperties withQuotaDelay(Duration newDelay) {
        return new PreemptionProperties(policy, delay, byPriority, minimumRuntime, newDelay);
    }
}
