package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests refused before they reach a route do not affect other connections. */
final class RefusedRequestsTest {

    private static final int REFUSING_CLIENTS = 12;
    private static final int CLIENTS = 6;
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final List<String> REFUSED = List.of(
            "POST /api/v1/echo" + HOST + "Expect: unknown\r\nContent-Length: 0\r\n\r\n",
            "GET /%00" + HOST + "\r\n",
            "GET /%zz" + HOST + "\r\n",
            "GET /" + "x".repeat(9_000) + HOST + "\r\n",
            "GIBBERISH\r\n\r\n");

    /** How often each text was answered. */
    private final Map<String, AtomicInteger> performed = new ConcurrentHashMap<>();

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();

    @Test
    @Tag("slow")
    void refusedRequests_doNotDisturbOthers() throws Exception {
        refuse(5_000);
    }

    @Test
    @Tag("slow")
    void refusedRequests_forLong_doNotDisturbOthers() throws Exception {
        refuse(100_000);
    }

    private void refuse(int times) throws Exception {
        Route echo = Route.post("/echo")
                .named("echo", "test")
                .role(Role.ANYONE)
                .summary("Answers what was sent.")
                .documentBody(null, "A text.")
                .textResponse("The same.", "text/plain")
                .handledAsyncBy(call -> {
                    String text = call.text();
                    performed.computeIfAbsent(text, key -> new AtomicInteger()).incrementAndGet();
                    return CompletableFuture.completedFuture(ApiResponse.text("text/plain", text));
                });
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicInteger left = new AtomicInteger(times);
        AtomicBoolean over = new AtomicBoolean();
        try (HttpServer server = HttpServer.start(
                HttpServer.Settings.of(0, 1 << 20, 16),
                Json.mapper(),
                Authenticator.UNVERIFIED,
                List.of(echo),
                (route, status, nanos) -> {})) {
            List<Future<Object>> refusing = IntStream.range(0, REFUSING_CLIENTS)
                    .mapToObj(client -> threads.submit((Callable<Object>) () -> {
                        for (int n = left.decrementAndGet(); n >= 0; n = left.decrementAndGet()) {
                            sendRefused(server.port(), REFUSED.get(n % REFUSED.size()));
                        }
                        return null;
                    }))
                    .toList();
            List<Future<Object>> others = IntStream.range(0, CLIENTS)
                    .mapToObj(client -> threads.submit((Callable<Object>) () -> {
                        for (int session = 0; !over.get(); session++) {
                            sendServed(server.port(), client + "-" + session, over);
                        }
                        return null;
                    }))
                    .toList();
            for (Future<Object> each : refusing) {
                each.get();
            }
            over.set(true);
            for (Future<Object> each : others) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        performed.forEach((text, count) -> {
            if (count.get() != 1) {
                wrong.add(text.strip() + " was performed " + count + " times");
            }
        });
        assertThat(wrong).as("of %s requests", answered).isEmpty();
        assertThat(answered.get()).as("requests of others").isPositive();
    }

    private void sendRefused(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoLinger(true, 0); // avoids ports in TIME_WAIT
            socket.getOutputStream().write(request.getBytes(UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            if (!answer.startsWith("HTTP/1.1 4")) {
                wrong.add(request.strip() + " was answered with " + answer);
            }
        } catch (SocketException reset) {
            // the server may close the connection before it has read a refused request completely
        }
    }

    /** Sends texts on one connection and expects them back. */
    private void sendServed(int port, String name, AtomicBoolean over) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(10_000);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int n = 0; n < 1_000 && !over.get(); n++) {
                String text = "%s-%d %s".formatted(name, n, " ".repeat(n % 3 * 100));
                socket.getOutputStream()
                        .write(("POST /api/v1/echo" + HOST + "Content-Type: application/json\r\nContent-Length: "
                                        + text.length() + "\r\n\r\n" + text)
                                .getBytes(UTF_8));
                String answer;
                try {
                    answer = readAnswer(in);
                } catch (IOException e) {
                    wrong.add(text.strip() + ": " + e);
                    return;
                }
                answered.incrementAndGet();
                if (!answer.equals("HTTP/1.1 200 OK " + text)) {
                    wrong.add(text.strip() + ": " + answer.strip());
                    return;
                }
            }
        }
    }

    /** Reads the status line and the body of one response. */
    private static String readAnswer(InputStream in) throws IOException {
        String status = readLine(in);
        int length = 0;
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        return status + " " + new String(in.readNBytes(length), UTF_8);
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("no answer");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
