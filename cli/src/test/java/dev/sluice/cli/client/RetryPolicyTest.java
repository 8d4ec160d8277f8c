package dev.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RetryPolicyTest {

    private final AtomicLong nanos = new AtomicLong();
    private final List<Long> pauses = new ArrayList<>();

    private RetryPolicy retryPolicy(Duration lasts) {
        return new RetryPolicy(lasts, nanos::get, pause -> {
            pauses.add(pause.toMillis());
            nanos.addAndGet(pause.toNanos());
        });
    }

    @Test
    void pauses_growToMaximumUntilDeadline() {
        RetryPolicy retryPolicy = retryPolicy(Duration.ofMillis(21_301));
        while (retryPolicy.pause(null)) {
            assertThat(retryPolicy.remaining()).isPositive();
        }
        assertThat(pauses).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L, 5000L);
    }

    @Test
    void pause_requestedByServer_isUsed() {
        RetryPolicy retryPolicy = retryPolicy(Duration.ofSeconds(60));
        assertThat(retryPolicy.pause(Duration.ofSeconds(30))).isTrue();
        assertThat(pauses).containsExactly(30_000L);
        assertThat(retryPolicy.pause(Duration.ofSeconds(30)))
                .as("it would be over by then")
                .isFalse();
        assertThat(pauses).hasSize(1);
    }
}
