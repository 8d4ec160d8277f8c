package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the latencies of requests and of a restart on a server with many applications. Asserts the responses, but not
 * the latencies.
 */
@Tag("long")
final class LargeServerTest {

    private static final int APPLICATIONS = Integer.getInteger("sluice.large.applications", 100_000);
    private static final int CLASSES = Integer.getInteger("sluice.large.classes", 10_000);
    private static final int NODES = Integer.getInteger("sluice.large.nodes", 2_000);
    private static final int SINGLE_CANCELS = 500;
    private static final int PER_FILE = 1_000;
    private static final int USERS = 50;
    private static final String PATH = "/api/v1/partitions/default/applications";
    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    queues: [{name: a}, {name: b}, {name: c}, {name: d}]
            """;

    private final PrintStream out = System.out;
    private final HttpClient http = HttpClient.newHttpClient();
    private int port;

    @Test
    void requests_onLargeServer_printLatencies(@TempDir Path folder) throws Exception {
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            port = daemon.port();
            fill();
            measureAnswers();
            time("checkpoint", daemon::requestCheckpoint);
        }
        TestDaemon[] started = new TestDaemon[1];
        for (int i = 0; i < 3; i++) {
            time("start", () -> {
                started[0] = TestDaemon.start(DaemonSettings.in(folder));
                return true;
            });
            if (i < 2) {
                started[0].close();
            }
        }
        try (TestDaemon daemon = started[0]) {
            port = daemon.port();
            measureCancel();
        }
    }

    private void fill() throws Exception {
        send("PUT", "/api/v1/configuration", QUEUES, "application/yaml");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> sent = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            String node = "{\"name\": \"n" + i + "\", \"capacity\": {\"vcore\": \"8\", \"memory\": \"16G\"}}";
            sent.add(threads.submit(() -> send("POST", "/api/v1/partitions/default/nodes", node, TestHttpClient.JSON)));
        }
        for (int first = 0; first < APPLICATIONS; first += PER_FILE) {
            StringBuilder file = new StringBuilder("{\"applications\": [");
            for (int i = first; i < Math.min(APPLICATIONS, first + PER_FILE); i++) {
                file.append(i == first ? "" : ",\n").append(application(i));
            }
            String text = file.append("]}").toString();
            sent.add(threads.submit(() -> send("POST", "/api/v1/submissions", text, TestHttpClient.JSON)));
        }
        for (Future<?> each : sent) {
            each.get();
        }
        threads.shutdown();
        StringBuilder classes = new StringBuilder("{\"id\": \"classes\", \"queue\": \"root.d\", \"tasks\": [");
        for (int i = 0; i < CLASSES; i++) {
            classes.append(i == 0 ? "" : ",\n")
                    .append("{\"id\": \"t")
                    .append(i)
                    .append("\", \"resources\": {\"vcore\": \"100\", \"memory\": \"")
                    .append(i + 20_000_000_000L)
                    .append("\"}}");
        }
        send("POST", PATH, classes.append("]}").toString(), TestHttpClient.JSON);
    }

    private static String application(int i) {
        return "{\"id\": \"app-" + i + "\", \"queue\": \"root." + (char) ('a' + i % 3) + "\", \"user\": \"user"
                + i % USERS
                + "\", \"tasks\": [{\"id\": \"t\", \"count\": 2, \"command\": [\"sleep\", \"" + i
                + "\"], \"resources\": {\"vcore\": \"1\"}, \"nodeSelector\": {\"zone\": \"nowhere\"}}]}";
    }

    private void measureAnswers() throws Exception {
        median("list 1,000 applications", 50, () -> send("GET", PATH + "?limit=1000"));
        median(
                "list 1,000 after the first half",
                20,
                () -> send("GET", PATH + "?limit=1000&after=app-" + APPLICATIONS / 2));
        median("list of an unknown user", 20, () -> send("GET", PATH + "?user=nobody"));
        median("list of a queue with nothing", 20, () -> send("GET", PATH + "?queue=root.c&state=Running"));
        median("list nodes", 20, () -> send("GET", "/api/v1/partitions/default/nodes"));
        median("list queues", 20, () -> send("GET", "/api/v1/partitions/default/queues"));
        median("list partitions", 20, () -> send("GET", "/api/v1/partitions"));
        median("why with " + CLASSES + " equivalence classes", 3, () -> send("GET", PATH + "/classes/why"));
        for (String type : List.of("application/json", "application/yaml")) {
            median("checkpoint as " + type, 3, () -> send("GET", "/api/v1/snapshot", "", "", "Accept", type));
        }
    }

    private void measureCancel() throws Exception {
        time(SINGLE_CANCELS + " cancelled one by one", () -> {
            for (int i = 0; i < SINGLE_CANCELS; i++) {
                send("POST", PATH + "/app-" + i + "/cancel");
            }
            return true;
        });
        time("the rest cancelled at once", () -> {
            long cancelled = 0;
            String answer = "";
            while (!answer.contains("\"complete\":true")) {
                answer = send("POST", PATH + "/cancel", "{\"all\": true}", TestHttpClient.JSON);
                cancelled += Long.parseLong(answer.replaceAll("\\D+", ""));
            }
            assertThat(cancelled).isEqualTo(APPLICATIONS + 1 - SINGLE_CANCELS);
            return true;
        });
    }

    private <T> void time(String what, Callable<T> task) throws Exception {
        long began = System.nanoTime();
        long processor = processorNanos();
        Object answer = task.call();
        if (answer instanceof Future<?> future) {
            future.get();
        }
        out.printf(
                Locale.ROOT,
                "%-45s %10.1f ms, %10.1f ms of processors%n",
                what,
                (System.nanoTime() - began) / 1e6,
                (processorNanos() - processor) / 1e6);
    }

    /** Measures a request repeatedly, while another client requests one node, which needs the scheduler's thread. */
    private void median(String what, int times, Callable<String> request) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        List<Double> waits = new ArrayList<>();
        Thread prober = new Thread(() -> {
            while (!ended.get()) {
                long began = System.nanoTime();
                send("GET", "/api/v1/partitions/default/nodes/n1");
                waits.add((System.nanoTime() - began) / 1e6);
            }
        });
        prober.start();
        List<Double> took = new ArrayList<>();
        long processor = processorNanos();
        int length = 0;
        for (int i = 0; i < times; i++) {
            long began = System.nanoTime();
            length = request.call().length();
            took.add((System.nanoTime() - began) / 1e6);
        }
        double processorMillis = (processorNanos() - processor) / 1e6 / times;
        ended.set(true);
        prober.join();
        took.sort(null);
        waits.sort(null);
        out.printf(
                Locale.ROOT,
                "%-45s p50 %8.1f ms, max %8.1f ms, %9.1f ms of processors, %9d characters; a short request"
                        + " meanwhile: p50 %6.1f, p99 %6.1f, max %7.1f ms%n",
                what,
                took.get(took.size() / 2),
                took.get(took.size() - 1),
                processorMillis,
                length,
                waits.get(waits.size() / 2),
                waits.get(waits.size() * 99 / 100),
                waits.get(waits.size() - 1));
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private String send(String method, String path) {
        return send(method, path, "", "");
    }

    private String send(String method, String path, String body, String type, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
            return response.body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
