package dev.sluice.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextInternerTest {

    private final TextInterner shared = new TextInterner();

    @Test
    void text_repeated_isSameObject() {
        String first = shared.text(new String("--input"));

        assertThat(shared.text(new String("--input"))).isSameAs(first);
    }

    @Test
    void text_withCollidingHash_isUnchanged() {
        assertThat("Aa").hasSameHashCodeAs("BB");

        assertThat(shared.text("Aa")).isEqualTo("Aa");
        assertThat(shared.text("BB")).isEqualTo("BB");
        assertThat(shared.text("Aa")).isEqualTo("Aa");
    }

    @Test
    void text_long_isNotInterned() {
        String first = shared.text("x".repeat(1000));

        assertThat(shared.text("x".repeat(1000))).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void part_ofDocument_isSharedWithEqualText() {
        String known = shared.text("Aa");

        assertThat(shared.part("{Aa}", 1, 3, "Aa".hashCode())).isSameAs(known);
        assertThat(shared.part("{BB}", 1, 3, "BB".hashCode())).isEqualTo("BB");
        assertThat(shared.part("{Aa}", 1, 3, "Aa".hashCode())).isEqualTo("Aa").isNotSameAs(known);
        assertThat(shared.part("x".repeat(1000), 0, 999, 0)).hasSize(999);
        assertThat(shared.part("{}", 1, 1, 0)).isEmpty();
    }
}
