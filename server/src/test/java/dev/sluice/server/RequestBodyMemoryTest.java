package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.http.Json;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Request bodies and the memory budget for them. */
final class RequestBodyMemoryTest {

    private static final int BODY_MAX = 100_000;
    private static final int BODIES_MAX = 250_000;

    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Route length = Route.post("/length")
                .named("length", "test")
                .role(Role.ANYONE)
                .documentBody(null, "Anything.")
                .textResponse("How many characters were sent.", "text/plain")
                .handledBy(call -> ApiResponse.text(
                        "text/plain", Integer.toString(call.text().length())));
        server = HttpServer.start(
                new HttpServer.Settings(0, BODY_MAX, BODIES_MAX, 16L << 20, 8),
                Json.mapper(),
                Authenticator.UNVERIFIED,
                List.of(length),
                (route, status, nanos) -> {});
    }

    @AfterEach
    void end() {
        server.close();
    }

    private static String head(int length) {
        return "POST /api/v1/length HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type:"
                + " application/json\r\n"
                + "Content-Length: " + length + "\r\n\r\n";
    }

    private String send(int length) throws Exception {
        return RawClient.ask(server.port(), head(length) + "x".repeat(length));
    }

    @Test
    void body_inChunks_isComplete() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.write(head(60_000));
            for (int i = 0; i < 60; i++) {
                client.write("y".repeat(1000));
            }
            assertThat(client.readAll()).startsWith("HTTP/1.1 200").endsWith("60000");
        }
    }

    @Test
    void body_maximumSize_isAcceptedAndLargerRefused() throws Exception {
        assertThat(send(0)).startsWith("HTTP/1.1 200").endsWith("0");
        assertThat(send(BODY_MAX)).startsWith("HTTP/1.1 200").endsWith("" + BODY_MAX);
        assertThat(send(BODY_MAX + 1)).startsWith("HTTP/1.1 413").contains("too-large");
    }

    @Test
    void body_withReplacementCharacter_isAcceptedIfSent() throws Exception {
        String sent = "a\ufffdé\ud83d\ude00";
        try (RawClient client = new RawClient(server.port())) {
            String answer = client.write(head(sent.getBytes(StandardCharsets.UTF_8).length) + sent)
                    .readAll();
            assertThat(answer).startsWith("HTTP/1.1 200").endsWith("5");
        }
    }

    @Test
    void bodies_exceedingBudget_areRefusedUntilReleased() throws Exception {
        List<RawClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                RawClient client = new RawClient(server.port());
                slow.add(client.write(head(BODY_MAX) + "z".repeat(BODY_MAX - 1)));
            }
            await().untilAsserted(() ->
                    assertThat(send(BODY_MAX)).startsWith("HTTP/1.1 429").contains("Retry-After"));
            assertThat(send(100)).startsWith("HTTP/1.1 200");
            for (RawClient client : slow) {
                assertThat(client.write("z").readAll()).startsWith("HTTP/1.1 200");
            }
            await().untilAsserted(() -> assertThat(send(BODY_MAX)).startsWith("HTTP/1.1 200"));
        } finally {
            for (RawClient client : slow) {
                client.close();
            }
        }
    }
}
