package dev.sluice.core.configuration;

import java.time.Duration;

/**
 * What the share policy {@code usage} goes by. The factor is of a queue below such a parent, the rest of the parent itself.
 *
 * @param halftime half-life of usage; above zero
 * @param probabilisticAll whether everything is drawn by lot
 * @param drawsMax the most tasks that one cycle starts by lot, the next goes on; above zero
 * @param factor what the usage priority is multiplied with; above zero
 */
public record UsageProperties(Duration halftime, boolean probabilisticAll, long drawsMax, double factor) {

    /** What holds when nothing is given. */
    public static final UsageProperties DEFAULTS = new UsageProperties(Duration.ofMinutes(20), false, 1_000_000, 1);
}
