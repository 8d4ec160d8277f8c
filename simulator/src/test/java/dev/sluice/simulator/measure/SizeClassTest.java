package dev.sluice.simulator.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeClassTest {

    @ParameterizedTest
    @CsvSource({
        "vcore, 0, 0",
        "vcore, 1, 1",
        "vcore, 999, 1",
        "vcore, 1000, 2",
        "vcore, 1999, 2",
        "vcore, 2000, 3",
        "vcore, 3999, 3",
        "vcore, 4000, 4",
        "memory, 1, 1",
        "memory, 1073741823, 1",
        "memory, 1073741824, 2",
        "memory, 2147483648, 3",
        "gpu, 1, 2",
        "gpu, 2, 3",
        "gpu, 3, 3",
        "gpu, 8, 5",
    })
    void amount_ofResource_isInItsClass(String resource, long amount, int sizeClass) {
        assertThat(SizeClass.of(resource, amount)).isEqualTo(sizeClass);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vcore", "memory", "gpu"})
    void classes_consecutive_coverEveryAmountOnce(String resource) {
        assertThat(SizeClass.from(resource, 0)).isZero();
        for (int i = 0; i < 30; i++) {
            assertThat(SizeClass.from(resource, i + 1)).isEqualTo(SizeClass.to(resource, i) + 1);
            if (SizeClass.from(resource, i)
                    <= SizeClass.to(resource, i)) { // there is no class below one for resources that cannot be divided
                assertThat(SizeClass.of(resource, SizeClass.from(resource, i))).isEqualTo(i);
                assertThat(SizeClass.of(resource, SizeClass.to(resource, i))).isEqualTo(i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"vcore", "memory", "gpu"})
    void amount_maximum_hasClassWithBothBounds(String resource) {
        long largest = 1L << 61;
        int sizeClass = SizeClass.of(resource, largest);

        assertThat(SizeClass.from(resource, sizeClass)).isPositive().isLessThanOrEqualTo(largest);
        assertThat(SizeClass.to(resource, sizeClass)).isGreaterThanOrEqualTo(largest);
    }

    @Test
    void jain_knownCases_matchesManualCalculation() {
        assertThat(jain()).isEqualTo(1);
        assertThat(jain(0, 0)).isEqualTo(1);
        assertThat(jain(3, 3, 3)).isEqualTo(1);
        // one has everything: 1 ÷ n
        assertThat(jain(0, 0, 0, 8)).isEqualTo(0.25);
        // 3² ÷ (2 × (1 + 4))
        assertThat(jain(1, 2)).isEqualTo(0.9);
    }

    private static double jain(double... values) {
        Jain jain = new Jain();
        for (double value : values) {
            jain.add(value);
        }
        return jain.index();
    }
}
