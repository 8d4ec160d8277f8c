package dev.sluice.config.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DurationTextTest {

    private static void check(String text, Duration expected) {
        assertThat(DurationText.parse(text)).isEqualTo(expected);
    }

    private static void refused(String text, String expected) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }

    @Test
    void parse_ofUnits_addsThem() {
        check("90s", Duration.ofSeconds(90));
        check("5m", Duration.ofMinutes(5));
        check("1h30m", Duration.ofMinutes(90));
        check("250ms", Duration.ofMillis(250));
        check("2d", Duration.ofDays(2));
        check("1.5h", Duration.ofMinutes(90));
        check("3us4ns", Duration.ofNanos(3004));
        check("3µs", Duration.ofNanos(3000));
        check("0", Duration.ZERO);
        check("0s", Duration.ZERO);
    }

    @Test
    void parse_ofInvalidText_isRejected() {
        refused("5", "\"5\" has no unit: write 5s for seconds or 5m for minutes");
        refused("-5s", "\"-5s\" is negative: a duration must be 0 or more");
        refused("5 min", "\"5 min\" is not a duration such as 90s, 1h30m or 2d");
        refused("1h30", "\"1h30\" is not a duration such as 90s, 1h30m or 2d");
        refused("5min", "\"5min\" has the unknown unit \"min\": expected one of d, h, m, s, ms, us and ns");
        refused("", "\"\" is not a duration such as 90s, 1h30m or 2d");
        refused("soon", "\"soon\" is not a duration such as 90s, 1h30m or 2d");
        refused("99999999d", "\"99999999d\" is too long: the maximum is 100000d");
        refused("999999999999999999d", "\"999999999999999999d\" is too long: the maximum is 100000d");
        refused("1h".repeat(100), "\"" + "1h".repeat(30) + "…\" is not a duration such as 90s, 1h30m or 2d");
    }

    @Test
    void format_ofAnyDuration_parsesToSameDuration() {
        long seed = 1;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 10_000; i++) {
            Duration duration = Duration.ofNanos(random.nextLong(1L << random.nextInt(62)));
            assertThat(DurationText.parse(DurationText.format(duration)))
                    .as("seed %d", seed)
                    .isEqualTo(duration);
        }
        check(DurationText.format(DurationText.DURATION_MAX), DurationText.DURATION_MAX);
    }
}
