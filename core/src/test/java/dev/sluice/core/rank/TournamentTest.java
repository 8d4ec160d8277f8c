package dev.sluice.core.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TournamentTest {

    private static final class Contestant {
        private final int seat;
        private int rank;

        private Contestant(int seat) {
            this.seat = seat;
        }
    }

    private static final Comparator<Contestant> ORDER = Comparator.<Contestant>comparingInt(
                    contestant -> contestant.rank)
            .thenComparingInt(contestant -> contestant.seat);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 8, 100})
    void first_afterRandomChanges_isTheLeast(int seats) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            Tournament<Contestant> tournament = new Tournament<>(seats, ORDER);
            Contestant[] present = new Contestant[seats];
            assertThat(tournament.first()).isNull();
            for (int step = 0; step < 500 && seats > 0; step++) {
                int seat = random.nextInt(seats);
                if (random.nextInt(3) == 0) {
                    tournament.remove(seat);
                    present[seat] = null;
                } else {
                    Contestant contestant = present[seat] == null ? new Contestant(seat) : present[seat];
                    contestant.rank = random.nextInt(10);
                    tournament.put(seat, contestant);
                    present[seat] = contestant;
                }
                assertThat(tournament.first())
                        .as("seed %d, step %d", seed, step)
                        .isSameAs(Stream.of(present)
                                .filter(Objects::nonNull)
                                .min(ORDER)
                                .orElse(null));
            }
        }
    }
}
