package dev.sluice.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A steady clock next to a wall clock that jumps. */
final class SteadyClockTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private Duration elapsed = Duration.ZERO;
    private Duration wallAhead = Duration.ZERO;
    private final SteadyClock clock = clock(START);

    private SteadyClock clock(Instant notBefore) {
        return new SteadyClock(() -> START.plus(elapsed).plus(wallAhead), () -> elapsed.toNanos(), notBefore);
    }

    /** Advances the time in steps of a second; returns how much the clock advanced. */
    private Duration pass(SteadyClock by, Duration time) {
        Instant before = by.instant();
        Instant last = before;
        for (long second = 0; second < time.toSeconds(); second++) {
            elapsed = elapsed.plusSeconds(1);
            Instant now = by.instant();
            assertThat(now).isAfter(last);
            last = now;
        }
        return Duration.between(before, last);
    }

    @Test
    void wallClock_steady_isFollowedExactly() {
        for (int i = 0; i < 1_000; i++) {
            elapsed = elapsed.plusNanos(1_234_567);
            wallAhead = wallAhead.plusNanos(i % 2 == 0 ? 50_000 : -40_000); // drift and small corrections
            assertThat(clock.instant()).isEqualTo(START.plus(elapsed).plus(wallAhead));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2H", "-PT2H", "P3650D", "-P3650D"})
    void wallClock_jumping_changesDurationsByATenthAtMost(Duration jump) {
        pass(clock, Duration.ofMinutes(1));
        wallAhead = jump;
        assertThat(pass(clock, Duration.ofMinutes(10))).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
    }

    @Test
    void wallClock_aheadForAMinute_delaysNoTimer() {
        wallAhead = Duration.ofHours(2);
        pass(clock, Duration.ofMinutes(1));
        wallAhead = Duration.ZERO;

        assertThat(pass(clock, Duration.ofMinutes(1))).isBetween(Duration.ofSeconds(54), Duration.ofSeconds(66));
        assertThat(clock.instant()).as("caught up").isEqualTo(START.plus(elapsed));
    }

    @Test
    void wallClock_jumpedPermanently_isReached() {
        wallAhead = Duration.ofMinutes(-5);
        pass(clock, Duration.ofMinutes(49));
        assertThat(clock.instant()).isAfter(START.plus(elapsed).plus(wallAhead));
        pass(clock, Duration.ofMinutes(2));
        assertThat(clock.instant()).isEqualTo(START.plus(elapsed).plus(wallAhead));
    }

    @Test
    void start_journalOneHourAhead_continuesFromThere() {
        SteadyClock restarted = clock(START.plus(Duration.ofHours(1)));
        assertThat(restarted.instant()).isEqualTo(START.plus(Duration.ofHours(1)));
        assertThat(pass(restarted, Duration.ofMinutes(10))).isEqualTo(Duration.ofMinutes(9));
    }

    @Test
    void start_afterDowntime_equalsWallClock() {
        assertThat(clock(START.minus(Duration.ofDays(2))).instant()).isEqualTo(START);
    }
}
