package dev.sluice.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomDrawsTest {

    private static RandomDraws lots(String owner, long seed) {
        RandomDraws lots = new RandomDraws("default", owner);
        lots.begin(seed);
        return lots;
    }

    /** χ² of 100 classes exceeds 148 once in a thousand. */
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
            RandomDraws lots = lots("root", seed);
            int[] seen = new int[100];
            for (int i = 0; i < 100_000; i++) {
                double number = lots.next(0);
                assertThat(number).isBetween(0.0, Math.nextDown(1.0));
                seen[(int) (number * 100)]++;
            }
            assertThat(deviation(seen, 100_000)).as("seed %s", seed).isLessThan(148);
        }
    }

    /** As it is where every cycle starts one task: the first number of every row, and so much has happened before. */
    @Test
    void firstDraws_ofManyCycles_areUniformAndIndependent() {
        for (long seed = 0; seed < 10; seed++) {
            RandomDraws lots = lots("root.a", seed);
            int[] seen = new int[100];
            int[] pairs = new int[100];
            double before = 0;
            for (int happened = 0; happened < 100_000; happened++) {
                lots.begin(seed);
                double number = lots.next(happened);
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
                    RandomDraws lots = lots(owner, seed);
                    for (int i = 0; i < 5; i++) {
                        all.add(lots.next(happened));
                    }
                }
            }
        }
        assertThat(all).hasSize(4 * 6 * 5 * 5);
    }

    /** The last two partitions have the same {@link String#hashCode}. */
    @Test
    void draws_ofDifferentPartitions_differ() {
        Set<Double> all = new HashSet<>();
        for (String partition : new String[] {"default", "gpu", "defaultroot", "Aa", "BB"}) {
            RandomDraws lots = new RandomDraws(partition, "root");
            lots.begin(1);
            for (int i = 0; i < 10; i++) {
                all.add(lots.next(0));
            }
        }
        assertThat(all).hasSize(5 * 10);
    }

    @Test
    void sequence_restarted_isTheSame() {
        RandomDraws lots = lots("root", 42);
        double first = lots.next(7);
        double second = lots.next(8);
        lots.begin(42);
        assertThat(lots.next(7)).isEqualTo(first);
        assertThat(lots.next(8)).isEqualTo(second);
    }
}
