package dev.sluice.simulator.workload.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LongSetTest {

    @Test
    void number_added_isFound() {
        Random random = new Random(7);
        LongSet seen = new LongSet();
        Set<Long> reference = new HashSet<>();

        for (int i = 0; i < 200_000; i++) {
            long number = switch (i % 3) {
                case 0 -> random.nextInt(5_000);
                case 1 -> random.nextLong() & Long.MAX_VALUE;
                default -> (long) random.nextInt(1_000) << 40;
            };
            assertThat(seen.add(number)).as("%d", number).isEqualTo(reference.add(number));
        }
    }
}
