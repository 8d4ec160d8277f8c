package dev.sluice.server.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.HistoryRecord.Notification;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DeliveryWindowTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final RetrySchedule SCHEDULE = RetrySchedule.DEFAULT;

    private final DeliveryWindow window = new DeliveryWindow(SCHEDULE, Duration.ofHours(1));

    private static Notification notification(long sequence) {
        return new Notification(sequence, "chat", "id" + sequence, NOW, "{}");
    }

    private Notification take(Instant now) {
        return Objects.requireNonNull(window.take(now));
    }

    @Test
    void delay_ofFailures_doublesUpToTheLongest() {
        assertThat(LongStream.of(1, 2, 3, 9, 10, 1_000_000)
                        .mapToObj(failures -> SCHEDULE.delay((int) failures).toSeconds()))
                .containsExactly(1L, 2L, 4L, 256L, 300L, 300L);
    }

    @Test
    void notifications_inOrder_areTakenOnce() {
        window.add(List.of(notification(1), notification(2)));
        window.add(List.of(notification(1), notification(2)));

        assertThat(take(NOW)).isEqualTo(notification(1));
        assertThat(take(NOW)).isEqualTo(notification(2));
        assertThat(window.take(NOW)).isNull();
        assertThat(window.nextDue()).isNull();
        window.delivered(notification(1));
        assertThat(window.take(NOW)).isNull();
    }

    @Test
    void notification_refused_delaysOthersByAPause() {
        window.add(List.of(notification(1), notification(2), notification(3)));
        assertThat(take(NOW)).isEqualTo(notification(1));
        window.failed(notification(1), NOW);

        assertThat(window.take(NOW)).isNull();
        Instant later = NOW.plusSeconds(1);
        assertThat(window.nextDue()).isEqualTo(later);
        // all three are due, and those that never failed are first
        assertThat(take(later)).isEqualTo(notification(2));
        window.delivered(notification(2));
        assertThat(take(later)).isEqualTo(notification(3));
        window.delivered(notification(3));
        assertThat(take(later)).isEqualTo(notification(1));
    }

    @Test
    void notification_new_waitsForAPauseAtMost() {
        window.add(List.of(notification(1)));
        Instant now = NOW;
        for (int failures = 1; failures <= 20; failures++) {
            window.failed(take(now), now);
            now = Objects.requireNonNull(window.nextDue());
        }
        window.failed(take(now), now);
        window.add(List.of(notification(2)));

        assertThat(window.nextDue()).isEqualTo(now.plus(DeliveryWindow.PAUSE_MAX));
        assertThat(take(now.plus(DeliveryWindow.PAUSE_MAX))).isEqualTo(notification(2));
    }

    @Test
    void target_down_isTriedAtMostEveryPause() {
        window.add(LongStream.range(0, 100)
                .mapToObj(DeliveryWindowTest::notification)
                .toList());
        int attempts = 0;
        for (Instant now = NOW; now.isBefore(NOW.plusSeconds(3600)); now = now.plusSeconds(1)) {
            Notification next = window.take(now);
            if (next != null) {
                attempts++;
                window.failed(next, now);
            }
        }
        assertThat(attempts).isBetween(3600 / 31, 3600 / 30 + 6);
    }

    @Test
    void window_full_acceptsNoMore() {
        window.add(LongStream.range(0, 250)
                .mapToObj(DeliveryWindowTest::notification)
                .toList());

        assertThat(window.isFull()).isTrue();
        for (int i = 0; i < DeliveryWindow.SIZE_MAX; i++) {
            window.delivered(take(NOW));
        }
        assertThat(window.take(NOW)).isNull();
    }

    @Test
    void notifications_expired_areDroppedOnlyWhileDeliveriesFail() {
        window.add(List.of(notification(1), notification(2), notification(3)));
        Instant late = NOW.plusSeconds(3601);

        assertThat(window.takeExpired(late)).isEmpty();
        assertThat(take(late)).isEqualTo(notification(1));
        window.delivered(notification(1));
        assertThat(window.takeExpired(late)).isEmpty();

        assertThat(take(late)).isEqualTo(notification(2));
        assertThat(take(late)).isEqualTo(notification(3));
        window.failed(notification(2), late);
        assertThat(window.takeExpired(NOW.plusSeconds(3600))).isEmpty();
        assertThat(window.takeExpired(late)).containsExactly(notification(2)); // 3 is in flight
    }
}
