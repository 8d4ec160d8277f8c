package dev.sluice.kubernetes.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests are sent in order and at a limited rate. */
final class PacedQueueTest {

    private final ManualTimer timer = new ManualTimer();
    private final List<String> sent = new ArrayList<>();

    private PacedQueue<String> queue(double perSecond, int burst) {
        return new PacedQueue<>(timer, new TokenBucket(perSecond, burst, timer.nanos()), sent::add);
    }

    @Test
    void keys_areSentAtTheRate_afterABurst() {
        PacedQueue<String> queue = queue(2, 3);
        for (int i = 0; i < 10; i++) {
            queue.add("k" + i);
        }
        timer.run();
        assertThat(sent).containsExactly("k0", "k1", "k2");
        timer.advance(Duration.ofMillis(499));
        assertThat(sent).hasSize(3);
        timer.advance(Duration.ofMillis(1));
        assertThat(sent).hasSize(4);
        timer.advance(Duration.ofSeconds(2));
        assertThat(sent).hasSize(8);
        assertThat(queue.size()).isEqualTo(2);
        timer.advance(Duration.ofMinutes(1));
        assertThat(sent).hasSize(10).endsWith("k9");
        assertThat(timer.waiting()).as("nothing is executed without keys").isZero();
    }

    @Test
    void pause_allowsOneBurstAndNotMore() {
        PacedQueue<String> queue = queue(1, 2);
        timer.advance(Duration.ofHours(1));
        for (int i = 0; i < 5; i++) {
            queue.add("k" + i);
        }
        timer.run();
        assertThat(sent).hasSize(2);
    }

    @Test
    void key_waitsOnce_andNotWhenRemoved() {
        PacedQueue<String> queue = queue(10, 1);
        queue.add("a");
        queue.add("b");
        queue.add("a");
        queue.add("c");
        queue.remove("b");
        timer.advance(Duration.ofSeconds(1));
        assertThat(sent).containsExactly("a", "c");
    }

    @Test
    void rateOfZero_isRefused() {
        assertThatThrownBy(() -> new TokenBucket(0, 1, 0)).hasMessageContaining("must be greater than 0");
    }
}
