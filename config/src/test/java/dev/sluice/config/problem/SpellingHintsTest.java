package dev.sluice.config.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingHintsTest {

    private static final List<String> POLICIES = List.of("fifo", "fair", "stateaware", "fewestrunning");

    @Test
    void nearest_ofTypo_isFound() {
        assertThat(SpellingHints.nearest("fifoo", POLICIES)).isEqualTo("fifo");
        assertThat(SpellingHints.nearest("FIFO", POLICIES)).isEqualTo("fifo");
        assertThat(SpellingHints.nearest("fiar", POLICIES)).isEqualTo("fair");
        assertThat(SpellingHints.nearest("stateawear", POLICIES)).isEqualTo("stateaware");
        assertThat(SpellingHints.nearest("fewest", POLICIES)).isNull();
        assertThat(SpellingHints.nearest("x", List.of("y"))).isNull();
    }

    @Test
    void synonym_ofKey_isFoundIfKnown() {
        assertThat(SpellingHints.synonym("mem", List.of("memory", "vcore"))).isEqualTo("memory");
        assertThat(SpellingHints.synonym("Environment", List.of("env"))).isEqualTo("env");
        assertThat(SpellingHints.synonym("mem", List.of("vcore"))).isNull();
        assertThat(SpellingHints.synonym("vcore", List.of("vcore"))).isNull();
    }

    @Test
    void hint_withoutSimilarWord_listsFewWords() {
        assertThat(SpellingHints.hint("random", POLICIES))
                .isEqualTo(": expected one of fifo, fair, stateaware and fewestrunning");
        assertThat(SpellingHints.hint("random", List.of())).isEmpty();
        assertThat(SpellingHints.hint("random", java.util.Collections.nCopies(17, "a")))
                .isEmpty();
    }

    @Test
    void distance_ofSwap_isOne() {
        assertThat(SpellingHints.distance("abcd", "abdc")).isEqualTo(1);
        assertThat(SpellingHints.distance("", "abc")).isEqualTo(3);
        assertThat(SpellingHints.distance("kitten", "sitting")).isEqualTo(3);
    }
}
