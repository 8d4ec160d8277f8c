package dev.sluice.simulator.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasureSpreadTest {

    @Test
    void spread_ofValues_hasMeanAndExtremes() {
        assertThat(MeasureSpread.of("m", List.of(4.0, 1.0, 7.0))).isEqualTo(new MeasureSpread("m", 4, 1, 7));
    }

    @Test
    void spread_ofMissingValues_ignoresThem() {
        assertThat(MeasureSpread.of("m", List.of(Double.NaN, 3.0))).isEqualTo(new MeasureSpread("m", 3, 3, 3));
        assertThat(MeasureSpread.of("m", List.of(Double.NaN)).mean()).isNaN();
    }

    @Test
    void mean_ofEqualValues_isThatValue() {
        MeasureSpread spread = MeasureSpread.of("m", List.of(0.1, 0.1, 0.1));

        assertThat(spread.mean()).isEqualTo(0.1);
    }
}
