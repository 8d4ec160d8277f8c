package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApplicationNumbersTest {

    @Test
    void name_beyondMaximum_evictsLeastRecentlyNumbered() {
        ApplicationNumbers numbers = new ApplicationNumbers(2);
        numbers.use("a", 1);
        numbers.use("b", 4);
        numbers.use("a", 2);

        numbers.use("c", 1);

        assertThat(numbers.last("a")).isEqualTo(2);
        assertThat(numbers.last("b")).isZero();
        assertThat(numbers.last("c")).isOne();
    }
}
