package dev.sluice.simulator.workload.synthetic;

import java.util.List;

/**
 * A distribution of integers, which are milliseconds, base units of a resource, or counts.
 *
 * <p>In the formulas {@code u} is uniform in [0, 1) and {@code z} is standard normal. Distributions without bounds of
 * their own are clamped: values below {@code min} become {@code min}, values above {@code max} become {@code max}.
 */
sealed interface Distribution {

    /** Draws the next value. */
    long next(RandomStream draws);

    /**
     * Rounds a value to the nearest integer within the bounds; values too large for a {@code long} become {@code max}.
     */
    private static long clamp(double value, long min, long max) {
        return Math.max(min, Math.min(max, Math.round(value)));
    }

    /** A constant. */
    record Constant(long value) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return value;
        }
    }

    /** Uniform integers from {@code from} to {@code to}: {@code from + ⌊u × (to − from + 1)⌋}. */
    record Uniform(long from, long to) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            long offset = (long) (draws.next() * ((double) to - from + 1));
            return offset > to - from ? to : from + offset;
        }
    }

    /** Exponential: {@code −mean × ln(1 − u)}. */
    record Exponential(double mean, long min, long max) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return clamp(mean * draws.nextExponential(), min, max);
        }
    }

    /** Lognormal: {@code exp(logMedian + sigma × z)}. */
    record LogNormal(double logMedian, double sigma, long min, long max) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return clamp(StrictMath.exp(logMedian + sigma * draws.nextNormal()), min, max);
        }
    }

    /** Pareto: {@code from × (1 − u)^(−1 ÷ alpha)}; a smaller alpha means a heavier tail. */
    record Pareto(long from, double alpha, long max) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return clamp(from * StrictMath.exp(draws.nextExponential() / alpha), from, max);
        }
    }

    /** Uniform over {@code from}, twice that, four times that and so on, up to {@code to}. */
    record PowersOfTwo(long from, long to) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            int steps = 63 - Long.numberOfLeadingZeros(to / from);
            return from << (int) (draws.next() * (steps + 1));
        }
    }

    /** One of these values, in proportion to its weight. */
    record Choice(List<Long> values, Weights weights) implements Distribution {

        public Choice {
            values = List.copyOf(values);
        }

        @Override
        public long next(RandomStream draws) {
            return values.get(weights.draw(draws));
        }
    }
}
