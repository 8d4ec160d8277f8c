package dev.sluice.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomDrawsTest {

    private static RandomDraws draws(String owner, long seed) {
        RandomDraws draws = new RandomDraws("default", owner);
        draws.begin(seed);
        return draws;
    }

    /** χ² of 100 classes exceeds 148 with probability 0.001. */
    private static double deviation(int[] seen, int numbers) {
        double expected = (double) numbers / seen.length;
        double sum = 0;
        for (int count : seen) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }

    @Test
    void draws_ofSequence_areUniform() {
        for (long seed = 0; seed < 10; seed++) {
            RandomDraws draws = draws("root", seed);
            int[] seen = new int[100];
            for (int i = 0; i < 100_000; i++) {
                double number = draws.next(0);
                assertThat(number).isBetween(0.0, Math.nextDown(1.0));
                seen[(int) (number * 100)]++;
            }
            assertThat(deviation(seen, 100_000)).as("seed %s", seed).isLessThan(148);
        }
    }

    /**
     * If every cycle starts one task, only the first number of every sequence is used, with a growing number of
     * placements.
     */
    @Test
    void firstDraws_ofManyCycles_areUniformAndIndependent() {
        for (long seed = 0; seed < 10; seed++) {
            RandomDraws draws = draws("root.a", seed);
            int[] seen = new int[100];
            int[] pairs = new int[100];
            double before = 0;
            for (int happened = 0; happened < 100_000; happened++) {
                draws.begin(seed);
                double number = draws.next(happened);
                seen[(int) (number * 100)]++;
                pairs[((int) (before * 10)) * 10 + (int) (number * 10)]++;
                before = number;
            }
            assertThat(deviation(seen, 100_000)).as("seed %s", seed).isLessThan(148);
            assertThat(deviation(pairs, 100_000)).as("pairs, seed %s", seed).isLessThan(148);
        }
    }

    @Test
    void draws_ofDifferentInputs_differ() {
        Set<Double> all = new HashSet<>();
        for (String owner : new String[] {"root", "root.a", "root.b", "root.a.b"}) {
            for (long seed = -3; seed < 3; seed++) {
                for (int happened = 0; happened < 5; happened++) {
                    RandomDraws draws = draws(owner, seed);
                    for (int i = 0; i < 5; i++) {
                        all.add(draws.next(happened));
                    }
                }
            }
        }
        assertThat(all).hasSize(4 * 6 * 5 * 5);
    }

    /** The last two partitions have equal {@link String#hashCode}s. */
    @Test
    void draws_ofDifferentPartitions_differ() {
        Set<Double> all = new HashSet<>();
        for (String partition : new String[] {"default", "gpu", "defaultroot", "Aa", "BB"}) {
            RandomDraws draws = new RandomDraws(partition, "root");
            draws.begin(1);
            for (int i = 0; i < 10; i++) {
                all.add(draws.next(0));
            }
        }
        assertThat(all).hasSize(5 * 10);
    }

    @Test
    void sequence_restarted_isTheSame() {
        RandomDraws draws = draws("root", 42);
        double first = draws.next(7);
        double second = draws.next(8);
        draws.begin(42);
        assertThat(draws.next(7)).isEqualTo(first);
        assertThat(draws.next(8)).isEqualTo(second);
    }
}
