package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignificantDigitsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "1, 1",
        "12, 12",
        "0.25, 0.25",
        "-0.25, -0.25",
        "0.3333333333, 0.333333",
        "0.0333333333, 0.0333333",
        "0.00333333333, 0.00333333",
        "0.000333333333, 0.000333333",
        "0.99999999, 1",
        "9.9999996, 10",
        "99999.96, 100000",
        "999999.6, 1000000",
        "1234567, 1234570",
        "123456789012, 123457000000",
        "1.23456789e20, 1.23457E+20",
        "1.5e-12, 1.5E-12",
        "1e308, 1E+308",
        "NaN, null",
        "Infinity, null",
        "-Infinity, null"
    })
    void number_anyMagnitude_hasSixDigits(double value, String text) {
        assertThat(text(value)).isEqualTo(text);
    }

    @Test
    void number_random_isRoundedToSixDigits() {
        Random random = new Random(5);
        for (int i = 0; i < 100_000; i++) {
            double value = random.nextDouble() * Math.pow(10, random.nextInt(30) - 12);
            BigDecimal exact = new BigDecimal(value).round(new MathContext(6, RoundingMode.HALF_UP));
            BigDecimal written = new BigDecimal(text(value));
            assertThat(written.compareTo(exact))
                    .as("%s is written %s", value, written)
                    .isZero();
        }
    }

    private static String text(double value) {
        StringBuilder text = new StringBuilder();
        SignificantDigits.append(value, 6, text);
        return text.toString();
    }
}
