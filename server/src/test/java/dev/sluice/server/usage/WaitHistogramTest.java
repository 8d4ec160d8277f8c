package dev.sluice.server.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Quantiles of waits, compared with sorted values. */
final class WaitHistogramTest {

    @Test
    void quantiles_ofRandomWaits_areExactToOnePercent() {
        Random random = new Random(1);
        WaitHistogram first = new WaitHistogram();
        WaitHistogram second = new WaitHistogram();
        long[] values = new long[2_001];
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextLong() >>> (1 + random.nextInt(62));
            sum += values[i];
            (i % 2 == 0 ? first : second).add(values[i]);
        }
        first.add(second);
        Arrays.sort(values);
        assertThat(first.count()).isEqualTo(values.length);
        assertThat(first.mean()).isCloseTo(sum / values.length / 1e9, within(sum * 1e-12));
        for (double share : new double[] {0.001, 0.1, 0.5, 0.9, 1}) {
            double exact = values[(int) Math.ceil(share * values.length) - 1] / 1e9;
            assertThat(first.quantile(share)).as("share %s", share).isBetween(exact, exact * 1.01);
        }
    }

    @Test
    void quantile_withoutWaits_isZero() {
        assertThat(new WaitHistogram().quantile(0.5)).isZero();
    }
}
