package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.config.notification.NotificationReader;
import dev.sluice.server.http.Json;
import dev.sluice.server.notification.Receiver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Notifications of a running server. */
@Timeout(120)
@SuppressWarnings("try") // some servers are only used through their client or files
@Tag("slow")
final class NotificationTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private DaemonSettings settings(String targets) {
        return TestDaemon.settings(folder.resolve("data"))
                .withNotifications(NotificationReader.read("n", "targets:\n" + targets.stripIndent())
                        .value());
    }

    private static void submit(TestDaemon daemon, String id, String user, String... commands) {
        StringBuilder tasks = new StringBuilder();
        for (int i = 0; i < commands.length; i++) {
            tasks.append(i == 0 ? "" : ", ").append("{\"id\": \"t" + i + "\", \"command\": \"" + commands[i] + "\"}");
        }
        assertThat(daemon.client()
                        .post(
                                "/partitions/default/applications",
                                "{\"id\": \"" + id + "\", \"name\": \"" + id.replaceAll("-.*", "") + "\", \"user\": \""
                                        + user + "\", \"queue\": \"root.default\", \"sealed\": true, \"tasks\": ["
                                        + tasks + "]}")
                        .status())
                .isEqualTo(201);
    }

    private static List<JsonNode> contents(Receiver receiver) {
        return receiver.received().stream()
                .map(request -> Json.mapper().readTree(request.body()))
                .toList();
    }

    private static Stream<String> about(Receiver receiver) {
        return contents(receiver).stream()
                .map(content -> content.get("notification").asString() + " "
                        + content.at("/event/data/application").asString());
    }

    @Test
    void events_ofATarget_arePostedAsInTheJournal() throws Exception {
        try (Receiver receiver = new Receiver(200);
                TestDaemon daemon =
                        TestDaemon.start(settings("  - {name: hook, webhook: {url: \"" + receiver.url() + "\"}}\n"))) {
            submit(daemon, "good-1", "ada", "true");
            daemon.client().awaitState("good-1", "Completed");
            submit(daemon, "bad-1", "ada", "exit 3");
            await().atMost(LONG).until(() -> receiver.received().size() == 3);

            assertThat(about(receiver))
                    .containsExactly("application-completed good-1", "task-failed bad-1", "application-failed bad-1");
            JsonNode failed = contents(receiver).get(1);
            long sequence = failed.at("/event/sequence").asLong();
            JsonNode event = daemon.client()
                    .get("/events?after=" + (sequence - 1) + "&limit=1")
                    .json()
                    .at("/items/0");
            assertThat(failed.get("event")).isEqualTo(event);
            assertThat(failed.get("name").asString()).isEqualTo("bad");
            assertThat(failed.at("/event/data/exitCode").asInt()).isEqualTo(3);
            assertThat(receiver.received())
                    .extracting(request -> request.headers().getFirst("webhook-id"))
                    .doesNotHaveDuplicates()
                    .isEqualTo(contents(receiver).stream()
                            .map(content -> content.get("id").asString())
                            .toList());
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(daemon.client().get("//metrics").text())
                                    .contains("sluice_notifications_delivered_total{target=\"hook\"} 3.0")
                                    .contains("sluice_notifications_failed_total{target=\"hook\"} 0.0")
                                    .contains("sluice_notifications_waiting{target=\"hook\"} 0.0"));
            assertThat(daemon.client().get("/health").at("/parts/notifications"))
                    .isEqualTo("ok");
        }
    }

    @Test
    void task_withRetriesLeft_isNotNotified() throws Exception {
        try (Receiver receiver = new Receiver(200);
                TestDaemon daemon =
                        TestDaemon.start(settings("  - {name: hook, webhook: {url: \"" + receiver.url() + "\"}}\n"))) {
            daemon.client()
                    .post(
                            "/partitions/default/applications",
                            "{\"id\": \"r\", \"queue\": \"root.default\", \"sealed\": true, \"tasks\":"
                                    + " [{\"id\": \"t\", \"command\": \"exit 1\", \"retries\": 1}]}");
            await().atMost(LONG).until(() -> receiver.received().size() == 2);

            assertThat(about(receiver)).containsExactly("task-failed r", "application-failed r");
            assertThat(contents(receiver).get(0).at("/event/data/attempt").asInt())
                    .isEqualTo(2);
        }
    }

    @Test
    void targets_withFilters_getWhatMatches() throws Exception {
        try (Receiver users = new Receiver(200);
                Receiver names = new Receiver(200);
                Receiver queues = new Receiver(200);
                Receiver all = new Receiver(200);
                TestDaemon daemon =
                        TestDaemon.start(settings("""
                        - {name: users, webhook: {url: "%s"}, users: [ada]}
                        - {name: names, webhook: {url: "%s"}, applications: ["nigh*"]}
                        - {name: queues, webhook: {url: "%s"}, queues: [root.other]}
                        - {name: all, webhook: {url: "%s"}, on: [application-completed]}
                        """.formatted(users.url(), names.url(), queues.url(), all.url())))) {
            submit(daemon, "nightly-1", "bob", "true");
            submit(daemon, "weekly-1", "ada", "true");
            submit(daemon, "nightly-2", "ada", "false");
            await().atMost(LONG)
                    .until(() -> users.received().size() == 3
                            && names.received().size() == 3
                            && all.received().size() == 2);

            assertThat(about(users))
                    .containsExactlyInAnyOrder(
                            "application-completed weekly-1", "task-failed nightly-2", "application-failed nightly-2");
            assertThat(about(names))
                    .containsExactlyInAnyOrder(
                            "application-completed nightly-1", "task-failed nightly-2", "application-failed nightly-2");
            assertThat(queues.received()).isEmpty();
        }
    }

    @Test
    void receiver_thatFailsFirst_getsTheSameNotificationAgain() throws Exception {
        try (Receiver receiver = new Receiver(500, 200);
                TestDaemon daemon =
                        TestDaemon.start(settings("  - {name: hook, webhook: {url: \"" + receiver.url() + "\"}}\n"))) {
            submit(daemon, "good-1", "ada", "true");
            await().atMost(LONG).until(() -> receiver.received().size() == 2);

            assertThat(contents(receiver).get(0)).isEqualTo(contents(receiver).get(1));
        }
    }

    @Test
    void receiver_thatHangs_delaysNothingElseAndIsShownInHealth() throws Exception {
        try (Receiver hanging = new Receiver(Receiver.HANG);
                Receiver good = new Receiver(200);
                TestDaemon daemon = TestDaemon.start(settings("""
                        - {name: hanging, webhook: {url: "%s"}, timeout: 100ms}
                        - {name: good, webhook: {url: "%s"}}
                        """.formatted(hanging.url(), good.url())))) {
            for (int i = 0; i < 5; i++) {
                submit(daemon, "good-" + i, "ada", "true");
            }
            await().atMost(LONG).until(() -> good.received().size() == 5);
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(daemon.client().get("/health").at("/detail"))
                                    .isEqualTo("target \"hanging\" fails: no response within 100ms; 5 waiting"));
            assertThat(daemon.client().get("/health").at("/status")).isEqualTo("up");
        }
    }

    @Test
    void server_restarted_deliversWhatWaited() throws Exception {
        Path file = folder.resolve("received");
        String failing = "  - {name: page, command: \"exit 1\"}\n";
        String working = "  - {name: page, command: \"cat >>" + file + "; echo >>" + file + "\"}\n";
        try (TestDaemon daemon = TestDaemon.start(settings(failing))) {
            submit(daemon, "good-1", "ada", "true");
            await().atMost(LONG)
                    .until(() -> daemon.client()
                            .get("/health")
                            .at("/parts/notifications")
                            .contains("exit code 1"));
        }
        try (TestDaemon unused = TestDaemon.start(settings(working))) {
            await().atMost(LONG).until(() -> Files.exists(file) && Files.size(file) > 0);
            assertThat(Files.readString(file)).contains("\"application\":\"good-1\"");
        }
    }

    @Test
    void target_removedFromTheFile_losesWhatWaited() throws Exception {
        try (TestDaemon daemon = TestDaemon.start(settings("  - {name: old, command: \"exit 1\"}\n"))) {
            submit(daemon, "good-1", "ada", "true");
            await().atMost(LONG)
                    .until(() -> daemon.client()
                            .get("/health")
                            .at("/parts/notifications")
                            .contains("exit code 1"));
        }
        Path file = folder.resolve("received");
        try (TestDaemon unused = TestDaemon.start(settings("  - {name: new, command: \"true\"}\n"))) {
            // removed at the start
        }
        try (TestDaemon daemon =
                TestDaemon.start(settings("  - {name: old, command: \"echo $SLUICE_APPLICATION >>" + file + "\"}\n"))) {
            submit(daemon, "good-2", "ada", "true");
            await().atMost(LONG).until(() -> Files.exists(file) && Files.size(file) > 0);
            assertThat(file).content().isEqualTo("good-2\n");
        }
    }

    @Test
    void secret_missing_refusesTheStart() {
        assertThatThrownBy(() -> TestDaemon.start(settings(
                        "  - {name: hook, webhook: {url: \"http://127.0.0.1:1/\", secret: {env: SLUICE_NOT_SET}}}\n")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("target \"hook\" of the notifications: environment variable SLUICE_NOT_SET is not set");
        assertThat(Objects.requireNonNull(folder.toFile().list())).contains("data");
    }
}
