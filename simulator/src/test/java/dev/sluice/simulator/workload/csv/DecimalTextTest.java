package dev.sluice.simulator.workload.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {

    @ParameterizedTest
    @ValueSource(strings = {"0", "42", "-1", "+1", "66.0", ".5", "5.", "1.5e+06", "1E-5", "2e9", "007"})
    void text_number_isRead(String text) {
        assertThat(DecimalText.parse(" " + text + "\t")).isEqualTo(new BigDecimal(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-",
                ".",
                "1.2.3",
                "1,5",
                "1 2",
                "e5",
                "1e",
                "1e+",
                "1e5.0",
                "1e100",
                "1e-100",
                "0x10",
                "1d",
                "NaN",
                "Infinity",
                "--1",
                "1_000",
                "\u0663"
            })
    void text_notNumber_isRejected(String text) {
        assertThat(DecimalText.parse(text)).isNull();
    }

    @Test
    void text_tooLong_isRejected() {
        assertThat(DecimalText.parse("1".repeat(40))).isNotNull();
        assertThat(DecimalText.parse("1".repeat(41))).isNull();
        assertThat(DecimalText.parse("0." + "1".repeat(60_000))).isNull();
    }
}
