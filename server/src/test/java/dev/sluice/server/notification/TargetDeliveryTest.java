package dev.sluice.server.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.config.notification.NotificationFilter;
import dev.sluice.config.notification.NotificationKind;
import dev.sluice.config.notification.NotificationTarget;
import dev.sluice.runtime.journal.HistoryRecord.Notification;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.runtime.testing.MemoryStore.Fault;
import dev.sluice.runtime.testing.MemoryStore.Operation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TargetDeliveryTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final RetrySchedule SOON = new RetrySchedule(Duration.ofMillis(1), Duration.ofMillis(4));
    private static final String TARGET = "chat";

    private final MemoryStore store = new MemoryStore();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final List<TargetDelivery> started = new ArrayList<>();
    private volatile boolean down;

    private final TargetDelivery.Counts counts = new TargetDelivery.Counts() {
        @Override
        public void delivered() {
            delivered.incrementAndGet();
        }

        @Override
        public void failed() {
            failed.incrementAndGet();
        }

        @Override
        public void dropped(long count) {
            dropped.addAndGet(count);
        }
    };

    @AfterEach
    void closeAll() {
        started.forEach(TargetDelivery::close);
    }

    private TargetDelivery start(Sender sender, InstantSource clock, int concurrency) throws Exception {
        NotificationTarget target = new NotificationTarget(
                TARGET,
                null,
                List.of("x"),
                EnumSet.allOf(NotificationKind.class),
                NotificationFilter.ALL,
                Duration.ofSeconds(1),
                Duration.ofHours(1),
                concurrency);
        TargetDelivery delivery = new TargetDelivery(
                target, sender, store.outbox(), store.outbox().counts().getOrDefault(TARGET, 0L), clock, SOON, counts);
        started.add(delivery);
        delivery.start();
        return delivery;
    }

    private void receive(String id, String content) throws DeliveryException {
        if (down) {
            throw new DeliveryException("down");
        }
        received.add(id);
    }

    private void write(int first, int count) throws Exception {
        store.appendHistory(List.copyOf(IntStream.range(first, first + count)
                .mapToObj(i -> new Notification(i, TARGET, Integer.toString(i), NOW, "{}"))
                .toList()));
    }

    private static List<String> ids(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    @Test
    void notifications_moreThanTheWindow_arriveInOrderAndAreRemoved() throws Exception {
        write(0, 1_050);
        TargetDelivery delivery = start(this::receive, InstantSource.system(), 1);

        await().until(() -> store.outbox().counts().isEmpty());
        assertThat(received).isEqualTo(ids(1_050));
        assertThat(delivered).hasValue(1_050);
        assertThat(delivery.waiting()).isZero();
    }

    @Test
    void notifications_written_areDeliveredWhenWoken() throws Exception {
        TargetDelivery delivery = start(this::receive, InstantSource.system(), 4);
        for (int i = 0; i < 20; i++) {
            assertThat(delivery.admit()).isTrue();
            write(i, 1);
            delivery.wakeIfAdmitted();
        }
        await().until(() -> store.outbox().counts().isEmpty());
        assertThat(received).containsExactlyInAnyOrderElementsOf(ids(20));
        assertThat(delivery.waiting()).isZero();
    }

    @Test
    void target_downThenUp_getsEverything() throws Exception {
        down = true;
        write(0, 250);
        TargetDelivery delivery = start(this::receive, () -> NOW.plusNanos(System.nanoTime() - START), 1);
        await().until(() -> failed.get() > 20 && delivery.problem() != null);
        assertThat(delivery.problem()).isEqualTo("target \"chat\" fails: down; 250 waiting");
        down = false;
        await().until(() -> store.outbox().counts().isEmpty());

        assertThat(received).containsExactlyInAnyOrderElementsOf(ids(250));
        assertThat(delivery.problem()).isNull();
        assertThat(dropped).hasValue(0);
    }

    private static final long START = System.nanoTime();

    @Test
    void target_downForLong_dropsWhatIsExpired() throws Exception {
        down = true;
        write(0, 1_250);
        start(this::receive, () -> NOW.plusSeconds(3601), 1);

        await().until(() -> store.outbox().counts().isEmpty());
        assertThat(received).isEmpty();
        assertThat(dropped).hasValue(1_250);
        assertThat(failed).hasValueLessThan(20);
    }

    @Test
    void notification_alwaysRefused_doesNotHoldUpOthers() throws Exception {
        write(0, 300);
        start(
                (id, content) -> {
                    if (id.equals("7")) {
                        throw new DeliveryException("refused");
                    }
                    receive(id, content);
                },
                () -> NOW.plusNanos(System.nanoTime() - START),
                1);

        await().until(() -> received.size() == 299);
        assertThat(store.outbox().first(TARGET, 400))
                .extracting(Notification::id)
                .contains("7");
    }

    @Test
    void delivery_closedAndStartedAgain_repeatsWhatWasInFlight() throws Exception {
        write(0, 3);
        CountDownLatch hanging = new CountDownLatch(1);
        TargetDelivery first = start(
                (id, content) -> {
                    if (id.equals("1")) {
                        hanging.countDown();
                        new CountDownLatch(1).await();
                    }
                    receive(id, content);
                },
                InstantSource.system(),
                1);
        hanging.await();
        first.close();
        assertThat(store.outbox().first(TARGET, 9)).extracting(Notification::id).containsExactly("1", "2");

        start(this::receive, InstantSource.system(), 1);
        await().until(() -> store.outbox().counts().isEmpty());
        assertThat(received).isEqualTo(ids(3));
    }

    @Test
    void store_unavailable_isTriedAgain() throws Exception {
        write(0, 3);
        TargetDelivery waiting = start(this::receive, InstantSource.system(), 1);
        await().until(() -> store.outbox().counts().isEmpty());
        store.fail(Operation.LOOK_UP, Fault.UNAVAILABLE, 1);
        write(3, 1);
        waiting.wake();
        await().until(() -> {
            waiting.wake();
            return received.size() == 4;
        });
    }

    @Test
    void target_withTooManyWaiting_admitsNoMore() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        TargetDelivery delivery = start((id, content) -> never.await(), InstantSource.system(), 1);
        for (long i = 0; i < TargetDelivery.WAITING_MAX; i++) {
            assertThat(delivery.admit()).isTrue();
        }
        assertThat(delivery.admit()).isFalse();
        assertThat(dropped).hasValue(1);
    }
}
