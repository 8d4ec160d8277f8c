package dev.sluice.simulator.workload.synthetic;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws the time and the kind of arrivals: a Poisson process for each kind, whose rate follows the daily cycle of the
 * kind.
 *
 * <p>All processes together are one Poisson process with the sum of the rates. It is drawn by thinning (Lewis and
 * Shedler, "Simulation of nonhomogeneous Poisson processes by thinning", 1979): arrivals occur at the maximum rate, and
 * each is kept with the probability rate ÷ maximum rate; its kind is drawn in proportion to the rates at that time.
 */
final class ArrivalTimes {

    private final List<ApplicationKind> kinds;
    private final RandomStream draws;
    private final long lengthNanos;
    private final long nanosOfDayAtBegin;
    private final double weightSum;
    private final double rateMax;
    private final double gapNanos;
    private final double[] rates;
    private long elapsedNanos;

    ArrivalTimes(SyntheticSpec spec, RandomStream draws) {
        this.kinds = spec.kinds();
        this.draws = draws;
        this.lengthNanos = spec.length().toNanos();
        this.nanosOfDayAtBegin = nanosOfDay(spec.begin());
        this.weightSum = kinds.stream().mapToDouble(ApplicationKind::weight).sum();
        this.rateMax = kinds.stream()
                .mapToDouble(kind -> kind.weight() * kind.daily().factorMax())
                .sum();
        this.gapNanos = spec.gapNanos() * weightSum / rateMax;
        this.rates = new double[kinds.size()];
    }

    private static long nanosOfDay(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC).toLocalTime().toNanoOfDay();
    }

    /** Returns the time of the last arrival since the start. */
    Duration elapsed() {
        return Duration.ofMillis(elapsedNanos / 1_000_000);
    }

    /** Returns the kind of the next arrival; null after the end. */
    @Nullable ApplicationKind next() {
        while (true) {
            double gap = gapNanos * draws.nextExponential();
            if (!(gap < lengthNanos - elapsedNanos)) {
                return null;
            }
            elapsedNanos += (long) gap;
            double point = draws.next() * rateMax;
            fillRates();
            for (int i = 0; i < rates.length; i++) {
                if (point < rates[i]) {
                    return kinds.get(i);
                }
                point -= rates[i];
            }
        }
    }

    private void fillRates() {
        long nanosOfDay = (nanosOfDayAtBegin + elapsedNanos % Duration.ofDays(1).toNanos())
                % Duration.ofDays(1).toNanos();
        DailyCycle last = DailyCycle.NONE;
        double factor = 1;
        for (int i = 0; i < rates.length; i++) {
            ApplicationKind kind = kinds.get(i);
            if (!kind.daily().equals(last)) {
                last = kind.daily();
                factor = last.factor(nanosOfDay);
            }
            rates[i] = kind.weight() * factor;
        }
    }
}
