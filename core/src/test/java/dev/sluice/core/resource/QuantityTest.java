package dev.sluice.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing and formatting of amounts. */
class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "vcore,  500m,     500",
        "vcore,  2,        2000",
        "vcore,  0,        0",
        "vcore,  +3,       3000",
        "vcore,  2k,       2000000",
        "vcore,  1Ki,      1024000",
        "vcore,  007,      7000",
        "memory, 512M,     512000000",
        "memory, 2Gi,      2147483648",
        "memory, 1024,     1024",
        "memory, 1Ei,      1152921504606846976",
        "memory, 9E,       9000000000000000000",
        "memory, 9223372036854775807, 9223372036854775807",
        "gpu,    4,        4",
        "gpu,    2k,       2000",
        "slots,  8,        8",
        "memory, ' 2 Gi ', 2147483648",
        "vcore,  '5 00m',  500",
        "vcore,  '\t5\u000B00\n m\r\f', 500",
        "vcore,  -0,       0",
        "vcore,  0.5,      500",
        "vcore,  0.25,     250",
        "vcore,  1.5,      1500",
        "vcore,  .5,       500",
        "vcore,  0.001,    1",
        "vcore,  2.0,      2000",
        "vcore,  1.0000,   1000",
        "vcore,  500.0m,   500",
        "vcore,  1.5k,     1500000",
        "memory, 1.5Gi,    1610612736",
        "memory, '1. 5 Gi', 1610612736",
        "memory, 0.5k,     500",
        "memory, 2.0,      2",
        "memory, 0.0,      0",
        "gpu,    2.0,      2",
    })
    void quantity_valid_isParsedInBaseUnits(String type, String text, long value) {
        assertThat(Quantity.parse(type, text).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vcore  | -1         | is negative",
                "memory | -1Gi       | is negative",
                "vcore  | ''         | is not a quantity: write a number with an optional unit, such as 2, 0.5 or 500m",
                "memory | ''         | such as 512M or 2Gi",
                "vcore  | 0.0005     | is finer than a thousandth of a core: write at most three decimals, such as 0.5 or 500m",
                "vcore  | 0.5m       | is finer than a thousandth of a core",
                "vcore  | -0.5       | is negative",
                "vcore  | 5.         | is not a quantity",
                "vcore  | .          | is not a quantity",
                "vcore  | -.         | is not a quantity",
                "vcore  | 1.2.3      | is not a quantity",
                "vcore  | 1.-2       | is not a quantity",
                "vcore  | x.5        | is not a quantity",
                "vcore  | 1.5x       | has the unknown unit \"x\"",
                "memory | 1.5        | is not a whole number of bytes: write one, such as 512M or 1.5Gi",
                "memory | 0.1Ki      | is not a whole number of bytes",
                "memory | 9.9Ei      | is too large",
                "memory | 0.5m       | unit m (thousandths) is only valid for vcore",
                "gpu    | 0.5        | is not a whole number of gpu: write one, such as 1 or 2k",
                "vcore  | 1e3        | is not a quantity",
                "vcore  | two        | is not a quantity",
                "vcore  | m          | is not a quantity",
                "vcore  | ٣          | is not a quantity",
                "memory | 1,000      | is not a quantity",
                "memory | 0x10       | is not a quantity",
                "memory | --1        | is not a quantity",
                "memory | 1M[        | is not a quantity",
                "memory | 1@         | is not a quantity",
                "memory | 500m       | unit m (thousandths) is only valid for vcore",
                "gpu    | 500m       | write a whole number of gpu",
                "memory | 1GB        | has the unknown unit \"GB\"",
                "memory | 1gi        | has the unknown unit \"gi\"",
                "memory | 1K         | has the unknown unit \"K\"",
                "memory | 8Ei        | is too large",
                "memory | 9223372036854775808 | is too large",
                "vcore  | 9223372036854776    | is too large",
                "vcore  | 9E         | is too large",
                "vcore  | 1E         | is too large",
                "vcore  | 1Ei        | is too large",
                "memory | 99999999999999999999999999 | is too large",
            })
    void quantity_invalid_isRefusedWithReason(String type, String text, String words) {
        assertThatThrownBy(() -> Quantity.parse(type, text))
                .isInstanceOf(QuantityException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 10_000_000})
    void quantity_veryLong_isRefusedBriefly(int length) {
        assertThatThrownBy(() -> Quantity.parse("memory", "1".repeat(length)))
                .isInstanceOf(QuantityException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @ParameterizedTest
    @CsvSource({
        "vcore,  0,                   0",
        "vcore,  500,                 500m",
        "vcore,  1500,                1500m",
        "vcore,  2000,                2",
        "memory, 0,                   0",
        "memory, 1,                   1",
        "memory, 1024,                1Ki",
        "memory, 1000,                1k",
        "memory, 2147483648,          2Gi",
        "memory, 512000000,           512M",
        "memory, 1536,                1536",
        "memory, 1048577,             1048577",
        "gpu,    1024,                1024",
        "memory, 9223372036854775807, unlimited",
    })
    void amount_formatted_usesLargestExactUnit(String type, long value, String text) {
        assertThat(Quantity.format(type, new Amount(value))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vcore", "memory", "gpu", "slots"})
    void amount_formattedAndParsed_isUnchanged(String type) {
        for (int power = 0; power < 62; power++) {
            for (long near = -1; near <= 1; near++) {
                Amount amount = new Amount(Math.max(0, (1L << power) + near));
                assertThat(Quantity.parse(type, Quantity.format(type, amount))).isEqualTo(amount);
            }
        }
        for (long value = 1; value < Long.MAX_VALUE / 10; value *= 10) {
            Amount amount = new Amount(value);
            assertThat(Quantity.parse(type, Quantity.format(type, amount))).isEqualTo(amount);
        }
    }

    @Test
    void cpu_inResources_isVcore() {
        assertThat(Resources.parse("cpu", "0.5")).isEqualTo(Resources.of("vcore", 500));
        assertThat(Resources.parse("cpu", "0.5").toString()).isEqualTo("vcore 500m");
        assertThatThrownBy(() -> Resources.parse("cpu", "1", "vcore", "1"))
                .isInstanceOf(QuantityException.class)
                .hasMessage("duplicate resource type vcore: cpu is an alias of it; write only one of them");
    }
}
