package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoundTest {

    @ParameterizedTest
    @CsvSource({"0.9, AIM", "2, AIM", "0.89, MUST", "0.8, MUST", "0.79, MISSED", "0, MISSED", "NaN, MISSED"})
    void atLeast_limitItself_isMet(double value, Verdict verdict) {
        assertThat(Bound.atLeast(0.8, 0.9).judge(value)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"0.9, AIM", "1, MUST", "4.9, MUST", "5, MISSED", "6, MISSED", "NaN, MISSED"})
    void below_limitItself_isMissed(double value, Verdict verdict) {
        assertThat(Bound.below(5, 1).judge(value)).isEqualTo(verdict);
    }

    @Test
    void bound_aimEasierThanMust_isAnError() {
        assertThatThrownBy(() -> Bound.atLeast(0.9, 0.8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Bound.below(1, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void text_ofBound_hasComparisonSign() {
        assertThat(Bound.atLeast(1_000_000, 3_000_000).mustText()).isEqualTo("≥ 1,000,000");
        assertThat(Bound.below(5, 1).aimText()).isEqualTo("< 1");
    }
}
