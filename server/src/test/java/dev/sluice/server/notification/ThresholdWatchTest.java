package dev.sluice.server.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.notification.NotificationFile;
import dev.sluice.config.notification.NotificationReader;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.HistoryRecord.Notification;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.TestTransactionContext;
import dev.sluice.server.http.Json;
import dev.sluice.server.metrics.ServerMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Thresholds of this tree, on a node of 100 vcore:
 *
 * <pre>
 * root ─┬─ web (at most 10 vcore)
 *       └─ batch
 * </pre>
 */
class ThresholdWatchTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String QUEUES = """
            partitions:
              - queues:
                  - {name: web, resources: {max: {vcore: 10}}}
                  - {name: batch}
            """;

    private final TestTransactionContext context = new TestTransactionContext();
    private Instant now = NOW;

    @BeforeEach
    void configure() {
        handle(new Command.ApplyConfiguration(
                QueueConfigurationReader.read("q", QUEUES).value()));
        handle(new Command.RegisterNode("default", "n", Resources.parse("vcore", "100"), new TreeMap<>()));
    }

    private void handle(Command command) {
        assertThat(context.handle(command).refusal()).isNull();
    }

    private void submit(String id, String queue, int count) {
        handle(new Command.SubmitApplication(
                "default", ApplicationSpec.open(id, queue, TaskSpec.of("t", count, Resources.parse("vcore", "1")))));
    }

    private void cancel(String id) {
        handle(new Command.CancelApplication("default", id, "test"));
    }

    private void after(Duration duration) {
        now = now.plus(duration);
        context.setNow(now);
    }

    private static NotificationFile file(String targets, String thresholds) {
        return NotificationReader.read("n", "targets: [" + targets + "]\nthresholds: [" + thresholds + "]\n")
                .value();
    }

    private static Notifications notifications(String targets, String thresholds) throws Exception {
        return Notifications.of(
                file(targets, thresholds),
                new MemoryStore().outbox(),
                InstantSource.system(),
                new ServerMetrics(),
                Map.of());
    }

    /** Checks, and returns what is notified since the last call. */
    private List<Notification> check(Notifications notifications) {
        int before = context.kept().size();
        notifications.checkThresholds(context);
        List<HistoryRecord> kept = context.kept();
        return kept.subList(before, kept.size()).stream()
                .map(Notification.class::cast)
                .toList();
    }

    private static JsonNode data(Notification notification) {
        return Json.mapper().readTree(notification.content()).at("/event/data");
    }

    @Test
    void pending_exceededForItsTime_isNotifiedOnceAndWhenCleared() throws Exception {
        try (Notifications notifications =
                notifications("{name: a, command: x}", "{queue: root.batch, pending: 5, for: 1m}")) {
            submit("five", "root.batch", 5);
            assertThat(check(notifications)).isEmpty();
            submit("six", "root.batch", 1);
            assertThat(check(notifications)).isEmpty();
            after(Duration.ofSeconds(59));
            assertThat(check(notifications)).isEmpty();
            after(Duration.ofSeconds(1));
            List<Notification> exceeded = check(notifications);
            assertThat(exceeded).hasSize(1);
            assertThat(exceeded.get(0).sequence()).isEqualTo(Notification.NO_EVENT);
            assertThat(Json.mapper().readTree(exceeded.get(0).content()).toString())
                    .isEqualTo("{\"id\":\"" + exceeded.get(0).id() + "\",\"notification\":\"queue-threshold\","
                            + "\"event\":{\"at\":\"2026-01-01T12:01:00Z\",\"type\":\"queue.threshold\","
                            + "\"partition\":\"default\",\"data\":{\"queue\":\"root.batch\",\"state\":\"exceeded\","
                            + "\"pending\":6,\"threshold\":5,\"since\":\"2026-01-01T12:00:00Z\"}}}");
            after(Duration.ofHours(1));
            assertThat(check(notifications)).isEmpty();
            cancel("six");
            List<Notification> cleared = check(notifications);
            assertThat(cleared)
                    .singleElement()
                    .satisfies(notification -> assertThat(
                                    data(notification).get("state").asString())
                            .isEqualTo("cleared"));
            assertThat(check(notifications)).isEmpty();
            assertThat(cleared.get(0).id()).isNotEqualTo(exceeded.get(0).id());
        }
    }

    @Test
    void pending_exceededTooShortly_isMeasuredAnew() throws Exception {
        try (Notifications notifications =
                notifications("{name: a, command: x}", "{queue: root, pending: 0, for: 1m}")) {
            submit("a", "root.batch", 1);
            assertThat(check(notifications)).isEmpty();
            after(Duration.ofSeconds(50));
            cancel("a");
            assertThat(check(notifications)).isEmpty();
            submit("b", "root.batch", 1);
            after(Duration.ofSeconds(50));
            assertThat(check(notifications)).isEmpty();
            after(Duration.ofSeconds(60));
            assertThat(check(notifications)).hasSize(1);
        }
    }

    @Test
    void used_ofMaximumOrPartition_isExact() throws Exception {
        try (Notifications notifications = notifications(
                "{name: a, command: x}",
                "{queue: root.web, used: 70}, {queue: root.web, used: 69}, {queue: root.batch, used: 7},"
                        + " {queue: root.batch, used: 6}")) {
            submit("w", "root.web", 7);
            submit("b", "root.batch", 7);
            context.cycle("default");

            assertThat(check(notifications))
                    .extracting(ThresholdWatchTest::data)
                    .extracting(
                            data -> data.get("queue").asString() + " " + data.get("used") + " " + data.get("threshold"))
                    .containsExactly("root.web 70 69", "root.batch 7 6");
        }
    }

    @Test
    void crossing_ofAQueue_reachesTargetsThatWantIt() throws Exception {
        try (Notifications notifications = notifications(
                "{name: all, command: x}, {name: web, command: x, queues: [root.web]}, {name: root, command: x,"
                        + " queues: [root], users: [ada]}, {name: tasks, command: x, on: [task-failed]}",
                "{queue: root.batch, pending: 0}")) {
            submit("b", "root.batch", 1);

            List<Notification> found = check(notifications);
            assertThat(found).extracting(Notification::target).containsExactly("all", "root");
            assertThat(found)
                    .extracting(Notification::id)
                    .containsOnly(found.get(0).id());
        }
    }

    @Test
    void queue_missing_usesNothing() throws Exception {
        try (Notifications notifications = notifications(
                "{name: a, command: x}", "{queue: root.none, pending: 0}, {queue: root, partition: p, used: 0}")) {
            assertThat(check(notifications)).isEmpty();
            assertThat(new ThresholdWatch(file(
                                            "{name: a, command: x}",
                                            "{queue: root.none, pending: 0}, {queue: root, pending: 0}")
                                    .thresholds())
                            .withoutQueue(context.scheduler()))
                    .extracting(threshold -> threshold.queue())
                    .containsExactly("root.none");
        }
    }
}
