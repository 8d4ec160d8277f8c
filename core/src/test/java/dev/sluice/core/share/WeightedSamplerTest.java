package dev.sluice.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WeightedSamplerTest {

    private static double[] weights(SplittableRandom random) {
        double[] weights = new double[1 + random.nextInt(20)];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> random.nextDouble() * 1e-300;
                case 2 -> random.nextDouble() * 1e30;
                default -> random.nextDouble();
            };
        }
        weights[random.nextInt(weights.length)] = 1 + random.nextDouble();
        return weights;
    }

    @Test
    void draw_any_neverReturnsZeroWeight() {
        for (long seed = 0; seed < 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] weights = weights(random);
            WeightedSampler sampler = new WeightedSampler(weights.length);
            sampler.setAll(weights);
            for (int i = 0; i < 50; i++) {
                double lot = i == 0 ? 0 : i == 1 ? Math.nextDown(1.0) : random.nextDouble();
                int position = sampler.draw(lot);
                assertThat(position).isLessThan(weights.length);
                assertThat(weights[position]).as("seed %s, lot %s", seed, lot).isPositive();
            }
        }
    }

    @Test
    void weights_setIndividually_equalBulkUpdate() {
        for (long seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] weights = weights(random);
            WeightedSampler together = new WeightedSampler(weights.length);
            together.setAll(weights);
            WeightedSampler single = new WeightedSampler(weights.length);
            for (int i = 0; i < weights.length; i++) {
                single.set(i, random.nextDouble());
            }
            for (int i = weights.length - 1; i >= 0; i--) {
                single.set(i, weights[i]);
            }
            assertThat(single.total()).isEqualTo(together.total());
            for (int i = 0; i < 100; i++) {
                double lot = random.nextDouble();
                assertThat(single.draw(lot)).as("seed %s", seed).isEqualTo(together.draw(lot));
            }
        }
    }

    @Test
    void total_zero_onlyWithoutWeights() {
        WeightedSampler sampler = new WeightedSampler(5);
        sampler.setAll(new double[] {0.1, 0.2, 0.3, 0, 1e-300});
        for (int i = 0; i < 4; i++) {
            sampler.set(i, 0);
        }
        assertThat(sampler.total()).isEqualTo(1e-300);
        assertThat(sampler.draw(0.5)).isEqualTo(4);
        sampler.set(4, 0);
        assertThat(sampler.total()).isZero();
    }

    /**
     * The sum of (observed − expected)² ÷ expected over 9 positions exceeds 26.1 with probability 0.001 (χ², 8 degrees
     * of freedom).
     */
    @Test
    void draws_many_areProportionalToWeights() {
        double[] weights = {1, 2, 0, 4, 0.5, 8, 3, 1, 0.5, 5};
        WeightedSampler sampler = new WeightedSampler(weights.length);
        sampler.setAll(weights);
        for (long seed = 1; seed <= 5; seed++) {
            RandomDraws source = new RandomDraws("default", "root");
            source.begin(seed);
            int draws = 20_000;
            int[] seen = new int[weights.length];
            for (int i = 0; i < draws; i++) {
                seen[sampler.draw(source.next(i / 3))]++;
            }
            double deviation = 0;
            for (int i = 0; i < weights.length; i++) {
                double expected = draws * weights[i] / 25;
                deviation += weights[i] == 0 ? 0 : (seen[i] - expected) * (seen[i] - expected) / expected;
            }
            assertThat(seen[2]).isZero();
            assertThat(deviation).as("seed %s", seed).isLessThan(26.1);
        }
    }
}
