package dev.sluice.simulator.workload.synthetic;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The specification of a synthetic workload.
 *
 * @param seed the random seed
 * @param begin the start time
 * @param length the time during which applications are submitted
 * @param applications the maximum number of applications
 * @param gapNanos the mean interarrival time over a day
 * @param kinds the kinds of applications, drawn in proportion to their weights
 */
record SyntheticSpec(
        long seed, Instant begin, Duration length, long applications, double gapNanos, List<ApplicationKind> kinds) {

    /** The minimum mean interarrival time, which guarantees that time advances. */
    static final double GAP_NANOS_MIN = 1000;

    /** The largest allowed number of applications. */
    static final long APPLICATIONS_MAX = 1_000_000_000_000L;

    SyntheticSpec {
        kinds = List.copyOf(kinds);
    }

    SyntheticSpec withSeed(long other) {
        return new SyntheticSpec(other, begin, length, applications, gapNanos, kinds);
    }
}
