package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A server under half of its maximum load for {@code -Dsluice.soak.minutes} minutes: neither memory nor files grow.
 */
@Tag("long")
@ProgramTest
final class SoakTest {

    private static final long MINUTES = Long.getLong("sluice.soak.minutes", 30);
    private static final int CLIENTS = 4;
    private static final int OUTSTANDING_MAX = 2_000;
    private static final Pattern USED = Pattern.compile("(?:generation|heap) +total \\d+K, used (\\d+)K");

    @TempDir
    Path folder;

    private final AtomicLong submitted = new AtomicLong();
    private final AtomicLong succeeded = new AtomicLong();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile long pauseNanos;
    private volatile boolean ending;

    /** Sizes in kB. */
    private record Sample(long heap, long files) {}

    @Test
    void server_underLongLoad_doesNotGrow() throws Exception {
        Path data = folder.resolve("data");
        String[] arguments = {
            "--no-node",
            "--retain-ended",
            "1000",
            "--keep-journal",
            "15s",
            "--keep-history",
            "15s",
            "--checkpoint-events",
            "20000"
        };
        List<Sample> samples = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(data, arguments)) {
            int port = server.port();
            RetryingTestClient client = new RetryingTestClient(port);
            Map<String, Object> node = Map.of("name", "n", "capacity", Map.of("vcore", "100000"));
            assertThat(client.postJson("/partitions/default/nodes", node).status())
                    .isEqualTo(201);
            begin("agent", () -> agent(new RetryingTestClient(port)));
            for (int i = 0; i < CLIENTS; i++) {
                begin("client-" + i, () -> submit(new RetryingTestClient(port)));
            }
            long warm = Math.min(20, 4 * MINUTES);
            Thread.sleep(Duration.ofSeconds(warm).toMillis());
            long before = submitted.get();
            Thread.sleep(Duration.ofSeconds(warm).toMillis());
            double rate = (submitted.get() - before) / (double) warm;
            pauseNanos = (long) (2 * CLIENTS * 1e9 / rate);
            System.out.printf("soak: %.0f applications a second at most, half of that for %d minutes%n", rate, MINUTES);
            Thread.sleep(Duration.ofSeconds(warm).toMillis());
            long began = submitted.get();
            for (int i = 0; i < 30; i++) {
                Thread.sleep(Duration.ofMinutes(MINUTES).toMillis() / 30);
                samples.add(new Sample(usedHeap(server.pid()), size(data)));
            }
            long done = submitted.get() - began;
            ending = true;
            for (Thread thread : threads) {
                thread.join(60_000);
            }
            System.out.printf(
                    "soak: %d applications, %.0f a second; %d events; heap and files in kB: %s%n",
                    done,
                    done / (MINUTES * 60.0),
                    client.get("/health").json().get("sequence").asLong(),
                    samples);
            server.terminate();
            assertThat(server.exitCode()).as(server.err()).isZero();
        }
        assertThat(faults).isEmpty();
        assertThat(succeeded.get()).isPositive();
        double firstHeap = samples.subList(0, 10).stream()
                .mapToLong(Sample::heap)
                .average()
                .orElseThrow();
        double lastHeap = samples.subList(20, 30).stream()
                .mapToLong(Sample::heap)
                .average()
                .orElseThrow();
        assertThat(lastHeap).as("heap in use after collections, in kB").isLessThan(1.1 * firstHeap + 2_000);
        long firstFiles =
                samples.subList(0, 10).stream().mapToLong(Sample::files).max().orElseThrow();
        long lastFiles =
                samples.subList(20, 30).stream().mapToLong(Sample::files).max().orElseThrow();
        assertThat(lastFiles).as("files, in kB").isLessThan((long) (1.25 * firstFiles) + 2_000);
    }

    /** Work repeated until the end. */
    private interface Work {
        void go() throws IOException, InterruptedException;
    }

    private void begin(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.go();
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        faults.add(name + ": " + e);
                    }
                },
                name);
        threads.add(thread);
        thread.start();
    }

    private void submit(RetryingTestClient client) throws IOException, InterruptedException {
        long next = System.nanoTime();
        while (!ending) {
            if (submitted.get() - succeeded.get() > OUTSTANDING_MAX) {
                Thread.sleep(5);
                continue;
            }
            RetryingTestClient.TestResponse answer = client.post(
                    "/partitions/default/applications", "{sealed: true, tasks: [{id: t, resources: {vcore: 1}}]}");
            if (answer.status() == 201) {
                submitted.incrementAndGet();
            } else if (answer.status() != 429 && answer.status() != 503) {
                faults.add(answer.toString());
            }
            next = Math.max(next + pauseNanos, System.nanoTime() - 1_000_000_000);
            long wait = next - System.nanoTime();
            if (wait > 0) {
                Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
            }
        }
    }

    /** Reports every allocated task as started and succeeded. */
    private void agent(RetryingTestClient client) throws IOException, InterruptedException {
        String after = "0";
        while (!ending) {
            JsonNode page = client.get("/events?limit=1000&after=" + after).json();
            List<Map<String, Object>> reports = new ArrayList<>();
            for (JsonNode event : page.get("items")) {
                if (event.get("type").asString().equals("task.placed")) {
                    for (String what : List.of("started", "succeeded")) {
                        reports.add(Map.of(
                                "application",
                                event.at("/data/application").asString(),
                                "task",
                                event.at("/data/task").asString(),
                                "attempt",
                                1,
                                "what",
                                what));
                    }
                }
            }
            if (!reports.isEmpty()) {
                RetryingTestClient.TestResponse answer =
                        client.postJson("/partitions/default/reports", Map.of("reports", reports));
                if (!answer.isOk() || !answer.json().get("refused").isEmpty()) {
                    faults.add(answer.toString());
                }
                succeeded.addAndGet(reports.size() / 2);
            }
            if (page.hasNonNull("next")) {
                after = page.get("next").asString();
            } else {
                Thread.sleep(5);
            }
        }
    }

    private static long usedHeap(long pid) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        run(jcmd.toString(), String.valueOf(pid), "GC.run");
        Matcher used = USED.matcher(run(jcmd.toString(), String.valueOf(pid), "GC.heap_info"));
        long sum = 0;
        while (used.find()) {
            sum += Long.parseLong(used.group(1));
        }
        assertThat(sum).isPositive();
        return sum;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    private static long size(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> Optional.of(file.toFile().length()))
                    .mapToLong(length -> length.orElse(0L) / 1024)
                    .sum();
        }
    }
}
