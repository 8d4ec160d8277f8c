package dev.sluice.core.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TournamentTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 8, 100})
    void first_afterRandomChanges_isSmallest(int seats) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            int[] ranks = new int[seats];
            boolean[] present = new boolean[seats];
            Tournament tournament = new Tournament(seats, (a, b) -> ranks[a] != ranks[b] ? ranks[a] < ranks[b] : a < b);
            assertThat(tournament.first()).isEqualTo(Tournament.NONE);
            for (int step = 0; step < 500 && seats > 0; step++) {
                int seat = random.nextInt(seats);
                present[seat] = random.nextInt(3) > 0;
                if (present[seat]) {
                    ranks[seat] = random.nextInt(10);
                    tournament.put(seat);
                } else {
                    tournament.remove(seat);
                }
                assertThat(tournament.first())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(least(ranks, present));
            }
        }
    }

    private static int least(int[] ranks, boolean[] present) {
        int least = Tournament.NONE;
        for (int seat = 0; seat < ranks.length; seat++) {
            if (present[seat] && (least == Tournament.NONE || ranks[seat] < ranks[least])) {
                least = seat;
            }
        }
        return least;
    }
}
