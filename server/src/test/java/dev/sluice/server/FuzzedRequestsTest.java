package dev.sluice.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests with some bytes changed, repeated or cut off: whatever they are by then, none of them is a bug of the server. */
final class FuzzedRequestsTest {

    private static final int CLIENTS = 8;
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final List<String> REQUESTS = List.of(
            "GET /api/v1/health" + HOST + "\r\n",
            "HEAD /api/v1/partitions/default/nodes?limit=3" + HOST + "\r\n",
            "PUT /api/v1/partitions/default/throttle" + HOST + JSON + "Content-Length: 14\r\n\r\n{\"tasksMax\":5}",
            "POST /api/v1/partitions/default/reports" + HOST + JSON + "Transfer-Encoding: chunked\r\n\r\n"
                    + "10\r\n{\"reports\":[{\"ap\r\n1e\r\nplication\":\"a\",\"task\":\"t\",\"at\r\n"
                    + "1e\r\ntempt\":1,\"status\":\"started\"}]}    \r\n0\r\n\r\n",
            "POST /api/v1/partitions/default/applications" + HOST + JSON + "Expect: 100-continue\r\n"
                    + "Content-Length: 53\r\n\r\n{\"queue\":\"root.default\",\"tasks\":[{\"id\":\"t\",\"count\":2}]}");
    private static final Pattern JAVA_CLASS = Pattern.compile("\\b(java|dev|org|tools|com)\\.[a-z]+\\.[a-zA-Z.]+");

    @Test
    void requests_withBytesChanged_areNeverABug(@TempDir Path folder) throws Exception {
        fuzz(folder, 2_000, 1);
    }

    @Test
    @Tag("long")
    void manyRequests_withBytesChanged_areNeverABug(@TempDir Path folder) throws Exception {
        fuzz(folder, 100_000, 2);
    }

    private static void fuzz(Path folder, int times, long seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(folder))) {
            List<Future<List<String>>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(seed * CLIENTS + client);
                clients.add(threads.submit((Callable<List<String>>) () -> {
                    List<String> bugs = new ArrayList<>();
                    for (int n = 0; n < times / CLIENTS; n++) {
                        String request = changed(REQUESTS.get(random.nextInt(REQUESTS.size())), random);
                        String answer = ask(daemon.port(), request);
                        if (answer.contains("problem:internal")
                                || JAVA_CLASS.matcher(answer).find()) {
                            bugs.add(request + "\n--- was answered\n" + answer);
                        }
                    }
                    return bugs;
                }));
            }
            for (Future<List<String>> client : clients) {
                assertThat(client.get()).as("seed %s", seed).isEmpty();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static String changed(String request, Random random) {
        StringBuilder text = new StringBuilder(request);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.replace(at, at + 1, "\r");
                case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(40))));
                default -> text.setLength(at + 1);
            }
        }
        return text.toString();
    }

    /** What is answered until the connection ends, which this side ends first. */
    private static String ask(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoLinger(true, 0);
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (SocketException reset) {
            return "";
        }
    }
}
