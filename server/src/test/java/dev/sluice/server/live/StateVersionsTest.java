package dev.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StateVersionsTest {

    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(2);

    private final AtomicLong last = new AtomicLong(5);
    private final AtomicLong nanos = new AtomicLong();
    private final StateVersions versions = new StateVersions(last::get, nanos::get, SHORT, LONG);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void version_afterQuietTime_followsAtOnce() {
        assertThat(versions.current()).isEqualTo(5);
        last.set(6);
        assertThat(versions.current()).isEqualTo(6);
    }

    @Test
    void version_withinPause_stays() {
        last.set(6);
        assertThat(versions.current()).isEqualTo(6);
        last.set(9);
        pass(SHORT.minusNanos(1));
        assertThat(versions.current()).isEqualTo(6);
        assertThat(versions.remaining()).isEqualTo(Duration.ofNanos(1));
        pass(Duration.ofNanos(1));
        assertThat(versions.current()).isEqualTo(9);
    }

    @Test
    void pause_afterSlowReads_isLonger() {
        last.set(6);
        versions.current();
        versions.read(Duration.ofMillis(75).toNanos());
        assertThat(versions.remaining()).isEqualTo(Duration.ofMillis(1_500));
        versions.read(Duration.ofMillis(75).toNanos());
        assertThat(versions.remaining()).isEqualTo(LONG);
        last.set(7);
        pass(LONG);
        assertThat(versions.current()).isEqualTo(7);
        assertThat(versions.remaining()).isEqualTo(SHORT);
    }
}
