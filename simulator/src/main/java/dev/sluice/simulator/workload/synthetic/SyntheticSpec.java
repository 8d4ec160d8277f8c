package dev.sluice.simulator.workload.synthetic;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a synthetic workload is made after.
 *
 * @param seed which of all workloads of this recipe it is
 * @param begin when it begins
 * @param length how long something is submitted
 * @param applications the most applications that are submitted
 * @param gapNanos how long it is from one arrival to the next, on the mean over a day
 * @param kinds what is submitted, each as often as its weight says
 */
record SyntheticSpec(
        long seed, Instant begin, Duration length, long applications, double gapNanos, List<ApplicationKind> kinds) {

    /** The shortest mean time between arrivals: so time goes on, however much is asked for. */
    static final double GAP_NANOS_MIN = 1000;

    /** The most applications that can be asked for. */
    static final long APPLICATIONS_MAX = 1_000_000_000_000L;

    /** Copies the list. */
    SyntheticSpec {
        kinds = List.copyOf(kinds);
    }
}
