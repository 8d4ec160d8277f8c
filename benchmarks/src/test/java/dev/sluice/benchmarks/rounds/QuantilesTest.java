package dev.sluice.benchmarks.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QuantilesTest {

    @Test
    void spread_ofElevenValuesInAnyOrder_tellsMedianAndTenths() {
        Quantiles spread = Quantiles.of(11, 1, 10, 2, 9, 3, 8, 4, 7, 5, 6);

        assertThat(spread).isEqualTo(new Quantiles(6, 2, 10));
    }

    @Test
    void spread_ofAnEvenNumber_liesBetweenTheTwoInTheMiddle() {
        assertThat(Quantiles.of(1, 2, 4, 8).median()).isEqualTo(3);
    }

    @Test
    void spread_ofOneValue_isThatValue() {
        assertThat(Quantiles.of(7)).isEqualTo(new Quantiles(7, 7, 7));
    }

    @Test
    void spread_ofValues_leavesThemInTheirOrder() {
        double[] values = {3, 1, 2};

        Quantiles.of(values);

        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void inverse_ofASpread_turnsLowAndHighRound() {
        assertThat(new Quantiles(4, 2, 8).inverse()).isEqualTo(new Quantiles(0.25, 0.125, 0.5));
    }
}
