package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.server.RawClient;
import dev.sluice.server.route.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that request large responses and do not read them. */
@Timeout(60)
final class UnreadResponsesTest {

    private static final int ANSWERS_MAX = 3 * TextRoutes.LARGE;

    private final List<Socket> sockets = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        List<Route> routes = new ArrayList<>(TextRoutes.smallAndLarge());
        routes.add(TextRoutes.answering(Route.post("/change"), "change", call -> "x".repeat(TextRoutes.LARGE)));
        server = TextRoutes.start(new HttpServer.Settings(0, 1 << 20, 1 << 20, ANSWERS_MAX, 8), routes);
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    /** Sends a request and reads only the status line. */
    private String ask(String methodAndPath) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.getOutputStream()
                .write((methodAndPath + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n").getBytes(UTF_8));
        return new String(socket.getInputStream().readNBytes(400), UTF_8);
    }

    @Test
    void responses_unreadBeyondLimit_areRefused() throws IOException {
        for (int i = 0; i < ANSWERS_MAX / TextRoutes.LARGE; i++) {
            assertThat(ask("GET /api/v1/large")).startsWith("HTTP/1.1 200");
        }

        assertThat(refused())
                .startsWith("HTTP/1.1 429")
                .contains("Retry-After: 2")
                .contains("too many unread large responses");
        assertThat(small()).startsWith("HTTP/1.1 200");
        assertThat(ask("POST /api/v1/change"))
                .as("executed requests are answered")
                .startsWith("HTTP/1.1 200");

        for (Socket socket : sockets) {
            socket.close();
        }
        await().until(() -> ask("GET /api/v1/large").startsWith("HTTP/1.1 200"));
    }

    private String refused() throws IOException {
        return readAll("GET /api/v1/large");
    }

    private String small() throws IOException {
        return readAll("GET /api/v1/small");
    }

    private String readAll(String methodAndPath) throws IOException {
        return RawClient.ask(
                server.port(), methodAndPath + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }
}
