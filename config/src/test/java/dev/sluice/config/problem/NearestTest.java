package dev.sluice.config.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

    private static final List<String> POLICIES = List.of("fifo", "fair", "stateaware", "fewestrunning");

    @Test
    void nearest_ofASlip_isFound() {
        assertThat(Nearest.to("fifoo", POLICIES)).isEqualTo("fifo");
        assertThat(Nearest.to("FIFO", POLICIES)).isEqualTo("fifo");
        assertThat(Nearest.to("fiar", POLICIES)).isEqualTo("fair");
        assertThat(Nearest.to("stateawear", POLICIES)).isEqualTo("stateaware");
        assertThat(Nearest.to("fewest", POLICIES)).isNull();
        assertThat(Nearest.to("x", List.of("y"))).isNull();
    }

    @Test
    void hint_withoutANearWord_listsThemIfTheyAreFew() {
        assertThat(Nearest.hint("random", POLICIES)).isEqualTo(": known are fifo, fair, stateaware and fewestrunning");
        assertThat(Nearest.hint("random", List.of())).isEmpty();
        assertThat(Nearest.hint("random", java.util.Collections.nCopies(17, "a")))
                .isEmpty();
    }

    @Test
    void distance_ofASwap_isOne() {
        assertThat(Nearest.distance("abcd", "abdc")).isEqualTo(1);
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    }
}
