package dev.sluice.simulator.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.simulator.figures.DistributionSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {

    private static DistributionSummary of(double... values) {
        Histogram counted = new Histogram();
        for (double value : values) {
            counted.add(value);
        }
        return counted.distribution();
    }

    @Test
    void values_none_giveEmptyDistribution() {
        assertThat(of()).isEqualTo(DistributionSummary.EMPTY);
    }

    @Test
    void values_one_isEverything() {
        DistributionSummary distribution = of(3.5);

        assertThat(distribution.mean()).isEqualTo(3.5);
        assertThat(distribution.curve())
                .hasSameSizeAs(DistributionSummary.PERCENTILES)
                .containsOnly(3.5);
    }

    @Test
    void percentiles_ofOneToHundred_areTheNumbers() {
        // the ⌈p × 100⌉-th of 1, 2 … 100 is p itself
        DistributionSummary distribution =
                of(IntStream.rangeClosed(1, 100).mapToDouble(i -> i).toArray());

        assertThat(distribution.count()).isEqualTo(100);
        assertThat(distribution.mean()).isEqualTo(50.5);
        assertThat(distribution.p50()).isEqualTo(50, within(50 / 1000.0));
        assertThat(distribution.p90()).isEqualTo(90, within(90 / 1000.0));
        assertThat(distribution.p99()).isEqualTo(99, within(99 / 1000.0));
        assertThat(distribution.max()).isEqualTo(100);
    }

    @Test
    void percentiles_ofTwoValues_areFirstUpToMedian() {
        DistributionSummary distribution = of(8, 2);

        assertThat(distribution.p50()).isEqualTo(2);
        assertThat(distribution.p90()).isEqualTo(8);
        assertThat(distribution.curve().get(0)).isEqualTo(2);
        assertThat(distribution.curve().get(distribution.curve().size() - 1)).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void percentiles_ofRandomValues_matchSortedListWithinThousandth(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Histogram values = new Histogram();
        Histogram half = new Histogram();
        List<Double> sorted = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < 20_000; i++) {
            // from milliseconds to some thousand years, log-uniform
            double value = Math.round(Math.exp(random.nextDouble() * 32) * 1) / 1000.0;
            (i % 2 == 0 ? values : half).add(value);
            sorted.add(value);
            sum += value;
        }
        values.addAll(half);
        Collections.sort(sorted);
        DistributionSummary distribution = values.distribution();

        assertThat(distribution.mean()).isEqualTo(sum / sorted.size(), within(sum / sorted.size() * 1e-12));
        assertThat(distribution.max()).isEqualTo(sorted.get(sorted.size() - 1));
        for (int i = 0; i < DistributionSummary.PERCENTILES.size(); i++) {
            double percentile = DistributionSummary.PERCENTILES.get(i);
            int rank = (int) Math.max(1, Math.ceil(percentile * sorted.size() / 100 - 1e-9));
            double exact = sorted.get(rank - 1);
            assertThat(distribution.curve().get(i))
                    .as("percentile %s with seed %s", percentile, seed)
                    .isEqualTo(exact, within(exact / 1000 + 1e-12));
        }
        assertThat(distribution.curve()).isSorted();
    }

    @Test
    void values_anyMagnitude_areAccepted() {
        DistributionSummary distribution = of(0, Double.MIN_VALUE, 1e300, Double.MAX_VALUE);

        assertThat(distribution.count()).isEqualTo(4);
        assertThat(distribution.p50()).isZero();
        assertThat(distribution.max()).isEqualTo(Double.MAX_VALUE);
    }
}
