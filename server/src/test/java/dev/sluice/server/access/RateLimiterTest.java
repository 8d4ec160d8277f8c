package dev.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RateLimiterTest {

    private static final int CALLERS_MAX = 100;

    /** Close to the end of the clock's range, which must not matter. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    private final RateLimiter limiter = new RateLimiter(10, 5, CALLERS_MAX, nanos::get);

    private int permits(String caller) {
        int count = 0;
        while (limiter.acquire(caller) == 0) {
            count++;
        }
        return count;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void bucket_full_permitsBurst_thenRefillsAtRate() {
        assertThat(permits("a")).isEqualTo(5);
        assertThat(limiter.acquire("a")).isEqualTo(Duration.ofMillis(100).toNanos());
        pass(Duration.ofMillis(99));
        assertThat(limiter.acquire("a")).isEqualTo(Duration.ofMillis(1).toNanos());
        pass(Duration.ofMillis(1));
        assertThat(permits("a")).isEqualTo(1);
        pass(Duration.ofMillis(300));
        assertThat(permits("a")).isEqualTo(3);
        pass(Duration.ofHours(1));
        assertThat(permits("a")).isEqualTo(5);
    }

    @Test
    void delay_takesNoPermit() {
        for (int i = 0; i < 10; i++) {
            assertThat(limiter.delay("a")).isZero();
        }
        permits("a");
        assertThat(limiter.delay("a")).isEqualTo(Duration.ofMillis(100).toNanos());
    }

    @Test
    void callers_haveOwnBuckets() {
        permits("a");
        assertThat(permits("b")).isEqualTo(5);
    }

    @Test
    void emptyBucket_isNotForgottenForMillionOthers() {
        assertThat(permits("attacker")).isEqualTo(5);
        for (int i = 0; i < 1_000_000; i++) {
            limiter.acquire("other " + i);
        }
        assertThat(limiter.size()).isEqualTo(CALLERS_MAX);
        assertThat(permits("attacker")).isZero();
    }

    @Test
    void callers_beyondMaximum_shareOneBucket() {
        for (int i = 0; i < CALLERS_MAX; i++) {
            limiter.acquire("known " + i);
        }
        int together = 0;
        for (int i = 0; i < 1000; i++) {
            together += permits("new " + i);
        }
        assertThat(together).isEqualTo(5);
        assertThat(permits("known 7")).isEqualTo(4);
    }

    @Test
    void fullBuckets_makeRoomForNewCallers() {
        for (int i = 0; i < CALLERS_MAX; i++) {
            limiter.acquire("known " + i);
        }
        pass(Duration.ofMillis(100));
        assertThat(permits("new 1")).isEqualTo(5);
        assertThat(permits("new 2")).isEqualTo(5);
        assertThat(limiter.size()).isEqualTo(CALLERS_MAX);
    }
}
