package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "0.001, <0.01 s",
        "0.25, 0.25 s",
        "45, 45 s",
        "45.04, 45 s",
        "59.94, 59.9 s",
        "59.96, 1 min",
        "99, 1.65 min",
        "120, 2 min",
        "3596, 59.9 min",
        "3598, 1 h",
        "5400, 1.5 h",
        "172000, 47.8 h",
        "172800, 2 d",
        "11520, 3.2 h",
        "360000, 4.17 d",
        "86400000, '1,000 d'",
        "-11520, −3.2 h",
        "NaN, –"
    })
    void duration_anyLength_usesShortestUnit(double seconds, String text) {
        assertThat(FigureText.duration(seconds)).isEqualTo(unbroken(text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 %", "0.875, 87.5 %", "1, 100 %", "0.00001, <0.01 %", "0.0123, 1.23 %", "Infinity, –"})
    void share_anyFraction_isPercentage(double part, String text) {
        assertThat(FigureText.share(part)).isEqualTo(unbroken(text));
    }

    @ParameterizedTest
    @CsvSource({
        "vcore, 1000, 1 core",
        "vcore, 2048000, '2,048 cores'",
        "vcore, 500, 0.5 cores",
        "memory, 1073741824, 1 GiB",
        "memory, 17592186044416, 16 TiB",
        "memory, 512, 512 B",
        "slots, 12, 12 slots",
        "gpu, 6212, '6,212 gpu'"
    })
    void amount_ofResource_usesItsUnit(String type, double amount, String text) {
        assertThat(FigureText.amount(type, amount)).isEqualTo(unbroken(text));
    }

    @ParameterizedTest
    @CsvSource({"1, 1.000", "0.82544, 0.825", "NaN, –"})
    void index_always_hasThreeDecimals(double value, String text) {
        assertThat(FigureText.index(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1e15, 1E+15", "1.5e18, 1.5E+18", "-2e300, -2E+300"})
    void number_tooLarge_usesExponent(double value, String text) {
        assertThat(FigureText.number(value)).isEqualTo(text);
    }

    /** Replaces the no-break spaces between numbers and units. */
    private static String unbroken(String text) {
        return text.replace(' ', '\u00a0');
    }
}
