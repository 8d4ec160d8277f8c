package dev.sluice.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.RequestGenerator.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Random requests for every operation in the OpenAPI document, unchanged or with bytes changed, repeated or cut off.
 * None causes an internal error: all responses match the document, and the server stays healthy.
 */
final class FuzzedRequestsTest {

    private static final int CLIENTS = 8;
    private static final int BUGS_SHOWN = 20;
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";

    /** Requests to mutate, besides those generated from the OpenAPI document. */
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

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})[^\\n]*\\n");

    /** Unavailable, or an unsupported HTTP version. */
    private static final Set<Integer> ALLOWED_FROM_500 = Set.of(503, 505);

    @Test
    @Tag("slow")
    void requests_random_neverCauseInternalError(@TempDir Path folder) throws Exception {
        fuzz(folder, 800, 1);
    }

    @Test
    @Tag("slow")
    void manyRequests_random_neverCauseInternalError(@TempDir Path folder) throws Exception {
        assertThat(fuzz(folder, 20_000, 2)).as("operations without a request").isEmpty();
    }

    @Test
    @Tag("long")
    void veryManyRequests_random_neverCauseInternalError(@TempDir Path folder) throws Exception {
        assertThat(fuzz(folder, 100_000, 3)).as("operations without a request").isEmpty();
    }

    /** Sends {@code times} requests; returns the operations that no unmodified request covered. */
    private static Set<String> fuzz(Path folder, int times, long seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        // without a node, so no task is ever started
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            OpenApiContract contract = daemon.client().contract();
            Set<String> unasked = new ConcurrentSkipListSet<>();
            for (JsonNode operation : contract.document().findValues("operationId")) {
                unasked.add(operation.asString());
            }
            List<Future<List<String>>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(seed * CLIENTS + client);
                RequestGenerator generator = new RequestGenerator(contract.document(), random);
                clients.add(threads.submit((Callable<List<String>>) () -> {
                    List<String> bugs = new ArrayList<>();
                    for (int n = 0; n < times / CLIENTS; n++) {
                        if (n % 2 == 0) {
                            Request request = generator.next();
                            described(daemon.client(), request, unasked).ifPresent(bugs::add);
                        } else {
                            damaged(daemon.port(), generator, random).ifPresent(bugs::add);
                        }
                    }
                    return bugs;
                }));
            }
            List<String> bugs = new ArrayList<>();
            for (Future<List<String>> client : clients) {
                bugs.addAll(client.get());
            }
            assertThat(bugs.stream().limit(BUGS_SHOWN))
                    .as("the first of %s bugs with seed %s", bugs.size(), seed)
                    .isEmpty();
            requireHealthy(daemon);
            return unasked;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void requireHealthy(TestDaemon daemon) {
        assertThat(daemon.failure()).isNotDone();
        Reply health = daemon.client().get("/health");
        assertThat(health.at("/status")).as(health.text()).isEqualTo("up");
        // a partition and a leaf that exist, because a damaged configuration may have been valid and renamed them
        String partition = "/partitions/"
                + TestHttpClient.encoded(
                        daemon.client().get("/partitions").json().at("/0/name").asString());
        String leaf = "";
        for (JsonNode queue : daemon.client().get(partition + "/queues").json()) {
            boolean accepts = queue.get("leaf").asBoolean()
                    && !queue.get("state").asString().equals("draining");
            leaf = accepts ? queue.get("path").asString() : leaf;
        }
        Reply submitted = daemon.client()
                .post(partition + "/applications", "{\"id\": \"after-all\", \"queue\": \"" + leaf + "\"}");
        assertThat(submitted.status()).as(submitted.text()).isEqualTo(201);
    }

    /** Sends an unmodified request; returns what is wrong with the response. */
    private static Optional<String> described(TestHttpClient client, Request request, Set<String> unasked) {
        if (request.endless() && request.method().equals("GET")) {
            return Optional.empty(); // an endless response is not read to its end
        }
        unasked.remove(request.operation());
        try {
            Reply reply = client.sendAnything(request.method(), request.path(), request.body(), request.type());
            return bug(request.toString(), reply.status(), reply.text());
        } catch (AssertionError undescribed) {
            return Optional.of(request + ": " + undescribed.getMessage());
        }
    }

    /** Sends a request with some bytes changed; returns what is wrong with the response. */
    private static Optional<String> damaged(int port, RequestGenerator generator, Random random) throws IOException {
        String request = changed(
                random.nextInt(3) == 0 ? REQUESTS.get(random.nextInt(REQUESTS.size())) : raw(generator), random);
        String answer = ask(port, request);
        Matcher status = STATUS.matcher(answer);
        if (answer.isEmpty() || !status.lookingAt()) {
            return answer.isEmpty() ? Optional.empty() : Optional.of(request + "\n--- was answered\n" + answer);
        }
        return bug(request, Integer.parseInt(status.group(1)), answer);
    }

    private static String raw(RequestGenerator generator) {
        Request request = generator.next();
        while (request.endless()) {
            request = generator.next();
        }
        byte[] body = request.body().getBytes(UTF_8);
        return request.method() + " " + request.path() + HOST
                + (request.type().isEmpty() ? "" : "Content-Type: " + request.type() + "\r\n")
                + "Content-Length: " + body.length + "\r\n\r\n" + new String(body, ISO_8859_1);
    }

    private static Optional<String> bug(String request, int status, String answer) {
        boolean bug = answer.contains("problem:internal")
                || JAVA_CLASS.matcher(answer).find()
                || (status >= 500 && !ALLOWED_FROM_500.contains(status));
        return bug ? Optional.of(request + "\n--- was answered with " + status + "\n" + answer) : Optional.empty();
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

    /** Sends a request, closes the output and reads until the connection ends. */
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
