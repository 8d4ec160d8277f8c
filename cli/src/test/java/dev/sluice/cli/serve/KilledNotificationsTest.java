package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Notifications of servers that are killed. */
@Timeout(300)
@Tag("slow")
@ProgramTest
final class KilledNotificationsTest {

    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final int COUNT = 40;

    @TempDir
    private Path folder;

    private final Set<String> received = new ConcurrentSkipListSet<>();
    private final Set<String> ids = new ConcurrentSkipListSet<>();
    private final AtomicInteger requests = new AtomicInteger();

    /** Answers every third request with 500, like a receiver with problems. */
    private HttpServer receiver() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            JsonNode content =
                    JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
            boolean accepted = requests.incrementAndGet() % 3 != 0;
            if (accepted) {
                received.add(content.at("/event/data/application").asString());
                ids.add(content.get("id").asString());
            }
            exchange.sendResponseHeaders(accepted ? 200 : 500, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static int completed(RetryingTestClient client) throws IOException {
        int completed = 0;
        for (int i = 0; i < COUNT; i++) {
            RetryingTestClient.TestResponse application = client.get(APPLICATIONS + "/a" + i);
            if (application.isOk() && application.json().get("state").asString().equals("Completed")) {
                completed++;
            }
        }
        return completed;
    }

    @Test
    void server_killed_deliversEveryNotification() throws Exception {
        HttpServer receiver = receiver();
        Path notifications = Files.writeString(
                folder.resolve("notifications.yaml"),
                "targets:\n  - name: hook\n    webhook: {url: \"http://127.0.0.1:"
                        + receiver.getAddress().getPort() + "/\"}\n    on: [application-completed]\n",
                UTF_8);
        String[] options = {"--slots", "4", "--notifications", notifications.toString()};
        try {
            try (ServerProcess server = ServerProcess.start(folder.resolve("data"), options)) {
                RetryingTestClient client = new RetryingTestClient(server.port());
                for (int i = 0; i < COUNT; i++) {
                    assertThat(client.post(
                                            APPLICATIONS,
                                            "{id: a" + i
                                                    + ", queue: root.default, sealed: true, tasks: [{id: t, command:"
                                                    + " 'true'}]}")
                                    .isOk())
                            .isTrue();
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> completed(client) >= COUNT / 2);
                server.kill();
            }
            int before = received.size();
            try (ServerProcess server = ServerProcess.start(folder.resolve("data"), options)) {
                RetryingTestClient client = new RetryingTestClient(server.port());
                await().atMost(Duration.ofMinutes(2)).until(() -> completed(client) == COUNT);
                await().atMost(Duration.ofMinutes(2)).until(() -> received.size() == COUNT);
                assertThat(client.get("/health").json().at("/parts").has("notifications"))
                        .isTrue();
            }
            Set<String> expected = new TreeSet<>();
            for (int i = 0; i < COUNT; i++) {
                expected.add("a" + i);
            }
            assertThat(received).as("%s before the kill", before).isEqualTo(expected);
            assertThat(ids).as("repetitions have the same id").hasSize(COUNT);
        } finally {
            receiver.stop(0);
        }
    }
}
