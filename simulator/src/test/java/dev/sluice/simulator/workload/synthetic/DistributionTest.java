package dev.sluice.simulator.workload.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares 100,000 draws with the formulas. */
class DistributionTest {

    private static final int DRAWS = 100_000;

    /** Returns the draws in ascending order. */
    private static long[] draw(Distribution distribution) {
        RandomStream draws = new RandomStream(1, "test");
        long[] values = new long[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            values[i] = distribution.next(draws);
        }
        Arrays.sort(values);
        return values;
    }

    private static double mean(long[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double quantile(long[] sorted, double part) {
        return sorted[(int) (part * sorted.length)];
    }

    private static double share(long[] values, long value) {
        return (double) Arrays.stream(values).filter(each -> each == value).count() / values.length;
    }

    private static void checkNear(double actual, double expected, double part) {
        assertThat(actual).isCloseTo(expected, within(expected * part));
    }

    @Test
    void constant_isAlwaysTheSame() {
        assertThat(draw(new Distribution.Constant(7))).containsOnly(7);
    }

    @Test
    void uniform_isEvenBetweenBounds() {
        long[] values = draw(new Distribution.Uniform(1000, 9000));
        checkNear(mean(values), 5000, 0.01);
        checkNear(quantile(values, 0.25), 3000, 0.02);
        checkNear(quantile(values, 0.9), 8200, 0.01);
        long[] few = draw(new Distribution.Uniform(-1, 2));
        for (long value = -1; value <= 2; value++) {
            assertThat(share(few, value)).isCloseTo(0.25, within(0.01));
        }
        assertThat(few[0]).isEqualTo(-1);
        assertThat(few[DRAWS - 1]).isEqualTo(2);
    }

    @Test
    void uniform_overFullRange_staysWithinBounds() {
        long[] values = draw(new Distribution.Uniform(0, Long.MAX_VALUE));
        assertThat(values[0]).isNotNegative();
        checkNear(quantile(values, 0.5), Long.MAX_VALUE / 2.0, 0.02);
    }

    @Test
    void exponential_hasItsMeanAndMedian() {
        long[] values = draw(new Distribution.Exponential(100_000, 1, Long.MAX_VALUE));
        checkNear(mean(values), 100_000, 0.01);
        checkNear(quantile(values, 0.5), 100_000 * Math.log(2), 0.02);
        checkNear(quantile(values, 0.95), 100_000 * Math.log(20), 0.02);
    }

    @Test
    void logNormal_hasItsMedianMeanAndDeviation() {
        double sigma = 1.2;
        long[] values = draw(new Distribution.LogNormal(Math.log(100_000), sigma, 1, Long.MAX_VALUE));
        checkNear(quantile(values, 0.5), 100_000, 0.02);
        checkNear(quantile(values, 0.8413), 100_000 * Math.exp(sigma), 0.02);
        checkNear(quantile(values, 0.1587), 100_000 * Math.exp(-sigma), 0.02);
        checkNear(mean(values), 100_000 * Math.exp(sigma * sigma / 2), 0.03);
    }

    @Test
    void pareto_hasItsQuantiles() {
        long[] values = draw(new Distribution.Pareto(10_000, 2.5, Long.MAX_VALUE));
        assertThat(values[0]).isEqualTo(10_000);
        checkNear(quantile(values, 0.5), 10_000 * Math.pow(2, 1 / 2.5), 0.01);
        checkNear(quantile(values, 0.99), 10_000 * Math.pow(100, 1 / 2.5), 0.03);
        checkNear(mean(values), 10_000 * 2.5 / 1.5, 0.02);
    }

    @Test
    void powersOfTwo_areEquallyLikely() {
        long[] values = draw(new Distribution.PowersOfTwo(3, 50));
        for (long value : new long[] {3, 6, 12, 24, 48}) {
            assertThat(share(values, value)).isCloseTo(0.2, within(0.01));
        }
        assertThat(values).containsOnly(3, 6, 12, 24, 48);
        assertThat(draw(new Distribution.PowersOfTwo(1, Long.MAX_VALUE))[DRAWS - 1])
                .isEqualTo(1L << 62);
    }

    @Test
    void choice_followsItsWeights() {
        long[] values = draw(
                new Distribution.Choice(List.of(4L, 1L, 9L, 2L, 5L), Weights.of(List.of(0.0, 5.0, 0.0, 15.0, 0.0))));
        assertThat(share(values, 1)).isCloseTo(0.25, within(0.01));
        assertThat(share(values, 2)).isCloseTo(0.75, within(0.01));
        assertThat(values).containsOnly(1, 2);
    }

    @Test
    void zipf_favoursFirstItems() {
        Weights weights = Weights.zipf(100, 1);
        RandomStream draws = new RandomStream(1, "test");
        int[] counts = new int[100];
        for (int i = 0; i < DRAWS; i++) {
            counts[weights.draw(draws)]++;
        }
        double harmonic = 0;
        for (int i = 1; i <= 100; i++) {
            harmonic += 1.0 / i;
        }
        checkNear(counts[0], DRAWS / harmonic, 0.03);
        checkNear(counts[1], DRAWS / harmonic / 2, 0.03);
        checkNear(counts[9], DRAWS / harmonic / 10, 0.06);
    }

    @Test
    void draws_areUniformAndIndependent() {
        RandomStream draws = new RandomStream(1, "test");
        double sum = 0;
        double product = 0;
        double last = 0.5;
        for (int i = 0; i < DRAWS; i++) {
            double next = draws.next();
            assertThat(next).isBetween(0.0, Math.nextDown(1.0));
            sum += next;
            product += (next - 0.5) * (last - 0.5);
            last = next;
        }
        assertThat(sum / DRAWS).isCloseTo(0.5, within(0.005));
        assertThat(product / DRAWS).isCloseTo(0, within(0.001));
    }

    /** A workload must be the same with every release and on every machine. */
    @Test
    void draws_ofSeedAndName_areStable() {
        RandomStream draws = new RandomStream(42, "etl");
        assertThat(List.of(draws.next(), draws.next(), draws.nextNormal()))
                .isEqualTo(List.of(0.09321547925532137, 0.32648014931988456, 1.0708362110973335));
    }

    @Test
    void distribution_hugeSpread_isClamped() {
        long month = 30L * 24 * 3600 * 1000;
        long[] wide = draw(new Distribution.LogNormal(Math.log(60_000), 100, 1, month));
        assertThat(wide[0]).isEqualTo(1);
        assertThat(wide[DRAWS - 1]).isEqualTo(month);
        long[] heavy = draw(new Distribution.Pareto(1000, 1e-9, month));
        assertThat(heavy[0]).isEqualTo(month);
        assertThat(heavy[DRAWS - 1]).isEqualTo(month);
        assertThat(draw(new Distribution.Exponential(month, 1, month))[DRAWS - 1])
                .isEqualTo(month);
        long[] byMean = draw(new Distribution.LogNormal(Math.log(60_000) - 5000, 100, 1, month));
        assertThat(byMean).containsOnly(1);
    }

    @Test
    void dailyCycle_isCosineAroundMean() {
        DailyCycle cycle = new DailyCycle(Duration.ofHours(14), 9);
        long hour = Duration.ofHours(1).toNanos();
        assertThat(cycle.factor(14 * hour)).isCloseTo(1.8, within(1e-9));
        assertThat(cycle.factor(2 * hour)).isCloseTo(0.2, within(1e-9));
        assertThat(cycle.factor(8 * hour)).isCloseTo(1, within(1e-9));
        assertThat(cycle.factorMax()).isCloseTo(1.8, within(1e-9));
    }
}
