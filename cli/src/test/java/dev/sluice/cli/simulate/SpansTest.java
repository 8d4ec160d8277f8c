package dev.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpansTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "0.04, < 0.1 s",
        "0.44, 0.4 s",
        "9.94, 9.9 s",
        "9.97, 10 s",
        "59.4, 59 s",
        "59.7, 1.0 min",
        "90, 1.5 min",
        "599, 10 min",
        "3569, 59 min",
        "3590, 1.0 h",
        "5400, 1.5 h",
        "86400, 24.0 h",
        "172000, 47.8 h",
        "172700, 2.0 d",
        "172800, 2.0 d",
        "8640000, 100 d",
        "86400000, '1,000 d'",
    })
    void span_isSaidWithTwoOrThreeDigits(double seconds, String text) {
        assertThat(Spans.text(seconds)).isEqualTo(text);
    }
}
