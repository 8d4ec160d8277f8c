package dev.sluice.simulator.workload.synthetic;

import java.util.List;

/**
 * What values are drawn from: whole numbers, which are milliseconds, base units of a resource, or counts.
 *
 * <p>In the formulas {@code u} is drawn evenly from 0 to 1 and {@code z} from the standard normal distribution. All but those with
 * bounds of their own are cut: what is below {@code min} counts as {@code min}, what is above {@code max} as {@code max}.
 */
sealed interface Distribution {

    /** The next value. */
    long next(RandomStream draws);

    /** The nearest whole number within the bounds; one that is too large to tell counts as {@code max}. */
    private static long cut(double value, long min, long max) {
        return Math.max(min, Math.min(max, Math.round(value)));
    }

    /** Always the same. */
    record Constant(long value) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return value;
        }
    }

    /** Every whole number from {@code from} to {@code to} is as likely: {@code from + ⌊u × (to − from + 1)⌋}. */
    record Uniform(long from, long to) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            long offset = (long) (draws.next() * ((double) to - from + 1));
            return offset > to - from ? to : from + offset;
        }
    }

    /** {@code −mean × ln(1 − u)}. */
    record Exponential(double mean, long min, long max) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return cut(mean * draws.nextExponential(), min, max);
        }
    }

    /** {@code exp(logMedian + sigma × z)}: half of the values are below the median, and their logarithm is normal. */
    record LogNormal(double logMedian, double sigma, long min, long max) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return cut(StrictMath.exp(logMedian + sigma * draws.nextNormal()), min, max);
        }
    }

    /** {@code from × (1 − u)^(−1 ÷ alpha)}: the smaller alpha is, the larger are the few large ones. */
    record Pareto(long from, double alpha, long max) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            return cut(from * StrictMath.exp(draws.nextExponential() / alpha), from, max);
        }
    }

    /** {@code from}, twice that, four times that and so on, as far as it is at most {@code to}: each is as likely. */
    record PowersOfTwo(long from, long to) implements Distribution {
        @Override
        public long next(RandomStream draws) {
            int steps = 63 - Long.numberOfLeadingZeros(to / from);
            return from << (int) (draws.next() * (steps + 1));
        }
    }

    /** One of these values, in proportion to its weight. */
    record Choice(List<Long> values, Weights weights) implements Distribution {

        /** Copies the list. */
        public Choice {
            values = List.copyOf(values);
        }

        @Override
        public long next(RandomStream draws) {
            return values.get(weights.draw(draws));
        }
    }
}
