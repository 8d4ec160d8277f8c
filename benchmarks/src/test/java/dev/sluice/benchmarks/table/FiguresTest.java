package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.benchmarks.rounds.Quantiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FiguresTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1867432; 1,870,000",
                "1000; 1,000",
                "999.9; 1,000",
                "100; 100",
                "12.345; 12.3",
                "5; 5",
                "0.8449; 0.845",
                "0.00012345; 0.000123",
                "0; 0",
                "-1234; -1,230",
                "NaN; NaN"
            })
    void format_figure_hasThreeDigitsWithoutExponent(double value, String text) {
        assertThat(Figures.format(value)).isEqualTo(text);
    }

    @Test
    void format_quantiles_hasP10P90InBrackets() {
        assertThat(Figures.format(new Quantiles(2, 1, 3.5))).isEqualTo("2 (1 to 3.5)");
    }
}
