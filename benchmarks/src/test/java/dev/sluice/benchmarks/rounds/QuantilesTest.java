package dev.sluice.benchmarks.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QuantilesTest {

    @Test
    void quantiles_ofElevenUnorderedValues_areMedianP10P90() {
        Quantiles spread = Quantiles.of(11, 1, 10, 2, 9, 3, 8, 4, 7, 5, 6);

        assertThat(spread).isEqualTo(new Quantiles(6, 2, 10));
    }

    @Test
    void median_ofEvenCount_isMeanOfMiddleValues() {
        assertThat(Quantiles.of(1, 2, 4, 8).median()).isEqualTo(3);
    }

    @Test
    void quantiles_ofOneValue_areThatValue() {
        assertThat(Quantiles.of(7)).isEqualTo(new Quantiles(7, 7, 7));
    }

    @Test
    void quantiles_ofArray_leaveItUnchanged() {
        double[] values = {3, 1, 2};

        Quantiles.of(values);

        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void inverse_ofQuantiles_swapsLowAndHigh() {
        assertThat(new Quantiles(4, 2, 8).inverse()).isEqualTo(new Quantiles(0.25, 0.125, 0.5));
    }
}
