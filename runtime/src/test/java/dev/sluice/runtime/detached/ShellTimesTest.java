package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What shells print for {@code times}. */
final class ShellTimesTest {

    private static @Nullable Duration of(String second) {
        return ShellTimes.ofChildren("9m9.000s 9m9.000s\n" + second + "\n");
    }

    @Test
    void times_ofChildren_addUp() {
        assertThat(of("0m0.270000s 0m0.010000s")).isEqualTo(Duration.ofMillis(280)); // dash
        assertThat(of("2m3.400s 1m0.100s")).isEqualTo(Duration.ofMillis(183_500)); // bash
        assertThat(of("0m0,27s 0m0,01s")).isEqualTo(Duration.ofMillis(280)); // bash in German
        assertThat(of("0m0.00s 0m0.00s")).isEqualTo(Duration.ZERO); // busybox
    }

    @Test
    void times_withAllSeconds_countMinutesOnce() {
        assertThat(of("2m123.400000s 0m1.000000s")).isEqualTo(Duration.ofMillis(124_400)); // dash until 0.5.11
    }

    @Test
    void otherText_isUnknown() {
        assertThat(ShellTimes.ofChildren("")).isNull();
        assertThat(ShellTimes.ofChildren("0m0.1s 0m0.1s\n")).isNull();
        assertThat(of("1h0m0.1s 0m0.1s")).isNull();
        assertThat(of("0m-1.0s 0m0.1s")).isNull();
    }
}
