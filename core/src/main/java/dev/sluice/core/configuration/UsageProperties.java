package dev.sluice.core.configuration;

import java.time.Duration;

/**
 * The properties of the share policy {@code usage}. The factor belongs to a child of such a parent, the other
 * properties to the parent itself.
 *
 * @param halftime half-life of usage; greater than 0
 * @param probabilisticAll whether everything is assigned by random draws
 * @param drawsMax the maximum number of tasks that one cycle starts by random draws, the next cycle continues; greater
 *     than 0
 * @param factor multiplies the usage priority; greater than 0
 */
public record UsageProperties(Duration halftime, boolean probabilisticAll, long drawsMax, double factor) {

    public static final UsageProperties DEFAULTS = new UsageProperties(Duration.ofMinutes(20), false, 1_000_000, 1);
}
