package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.server.RawClient;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send or read a byte from time to time. */
@Timeout(60)
final class SlowClientsTest {

    private static final String SMALL = "GET /api/v1/small HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        List<Route> routes = new ArrayList<>(TextRoutes.smallAndLarge());
        routes.add(TextRoutes.post("echo", Call::text));
        server = TextRoutes.start(
                new HttpServer.Settings(0, 1 << 20, 1 << 20, TextRoutes.LARGE, 8)
                        .withSlowClients(new SlowClients.Limits(Duration.ofMillis(200), 1 << 28)),
                routes);
    }

    @AfterEach
    void end() {
        server.close();
    }

    private Socket connect(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream().write(request.getBytes(UTF_8));
        return socket;
    }

    /** Sends a byte, then waits a while for the end of the connection; returns whether it came. */
    private static boolean isClosedAfter(Socket socket, int sent) throws IOException {
        socket.setSoTimeout(50);
        try {
            socket.getOutputStream().write(sent);
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    @Test
    @Tag("slow")
    void request_sentByteByByte_isClosed() throws IOException {
        for (String begun : List.of(
                "",
                "GET /api/v1/sm",
                "GET /api/v1/small HTTP/1.1\r\nHost: localhost\r\nX: ",
                "POST /api/v1/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
                "POST /api/v1/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n",
                SMALL + "GET /api/v1/sm")) {
            try (Socket socket = connect(begun)) {
                if (begun.startsWith(SMALL)) {
                    assertThat(socket.getInputStream().readNBytes(12)).isNotEmpty();
                    assertThat(socket.getInputStream()
                                    .readNBytes(socket.getInputStream().available()))
                            .isNotNull();
                }
                await().alias(begun).until(() -> isClosedAfter(socket, begun.isEmpty() ? '\n' : 'x'));
            }
        }
    }

    @Test
    void connection_betweenRequests_staysOpen() throws IOException {
        try (Socket idle = connect(SMALL);
                Socket slow = connect("GET /api/v1/sm")) {
            String first = new String(idle.getInputStream().readNBytes(12), UTF_8);
            assertThat(first).isEqualTo("HTTP/1.1 200");
            await().until(() -> isClosedAfter(slow, 'x'));
            idle.getOutputStream()
                    .write(SMALL.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            assertThat(new String(idle.getInputStream().readAllBytes(), UTF_8)).contains("HTTP/1.1 200");
        }
    }

    @Test
    void response_readByteByByte_isClosedAndReleased() throws IOException {
        try (Socket slow = connect("GET /api/v1/large HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            assertThat(slow.getInputStream().readNBytes(12)).asString(UTF_8).isEqualTo("HTTP/1.1 200");
            await().until(() -> {
                assertThat(slow.getInputStream().read()).isPositive();
                return RawClient.ask(
                                server.port(),
                                "GET /api/v1/large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .startsWith("HTTP/1.1 200");
            });
        }
    }
}
