package dev.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures the durable submissions per second of a server, with a client in a second process over the loopback
 * interface: one application with one task per request, and one with a hundred tasks; then the latency at half of the
 * required rates. Baselines, in the same rounds, are a no-op route of the same web server, and single-row commits to
 * the same database.
 */
public final class SubmissionBenchmark {

    private static final int ROUNDS = Integer.getInteger("sluice.rounds", 3);

    /**
     * Lets the JVM compile the hot code, because the result is the speed of a server that has been running for a while.
     */
    private static final double WARM_UP_SECONDS = Integer.getInteger("sluice.warm-up", 20);

    /** Matches the JVM options of ./sluice serve. */
    private static final Pattern SERVER_OPTIONS = Pattern.compile("serve\\) options='([^']+)'");

    static final String APPLICATIONS = "/api/v1/partitions/default/applications";
    private static final int CONNECTIONS = 128;
    private static final int BATCH = 100;
    private static final double SINGLES_HALF = 5_000;
    private static final double BATCHES_HALF = 500;

    private final double seconds;
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();
    private long number;

    private SubmissionBenchmark(double seconds) {
        this.seconds = seconds;
    }

    /** Runs the benchmark; the arguments are the result file and the seconds per measurement (10). */
    public static void main(String[] args) throws Exception {
        Path results = Path.of(args[0]);
        SubmissionBenchmark benchmark = new SubmissionBenchmark(args.length > 1 ? Double.parseDouble(args[1]) : 10);
        Path folder = Files.createTempDirectory(results.toAbsolutePath().getParent(), "server");
        try {
            for (int round = 0; round < ROUNDS; round++) {
                benchmark.round(folder.resolve("round-" + round));
            }
        } finally {
            delete(folder);
        }
        benchmark.write(results);
    }

    /** A measurement with a newly started server. */
    @FunctionalInterface
    interface Measurement {
        void of(ProcessHandle server, int port, int idlePort) throws IOException;
    }

    private void round(Path folder) throws Exception {
        Files.createDirectories(folder);
        add("commits of one row per second", commits(folder.resolve("rows")));
        // each with its own server: submissions never end here and would fill the memory of the other measurement
        serve(folder.resolve("singles"), this::singles);
        serve(folder.resolve("hundreds"), this::hundreds);
    }

    static void serve(Path data, Measurement measurement) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(serverOptions());
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), ServerUnderLoad.class.getName(), data.toString()));
        Process server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
            String[] ports = String.valueOf(out.readLine()).split(" ");
            measurement.of(server.toHandle(), Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
        } finally {
            server.getOutputStream().close();
            server.waitFor();
        }
    }

    /** Returns the JVM options of {@code ./sluice serve}. */
    public static List<String> serverOptions() throws IOException {
        Matcher options = SERVER_OPTIONS.matcher(Files.readString(Path.of("sluice")));
        if (!options.find()) {
            throw new IOException("no JVM options for serve found in ./sluice; run from the repository root");
        }
        return List.of(options.group(1).split(" "));
    }

    private void singles(ProcessHandle server, int port, int idlePort) throws IOException {
        LoadClient nothing = new LoadClient(idlePort, "/api/v1/nothing", CONNECTIONS, SubmissionBenchmark::single);
        LoadClient singles = new LoadClient(port, APPLICATIONS, CONNECTIONS, SubmissionBenchmark::single);
        run(nothing, WARM_UP_SECONDS / 2, 0);
        run(singles, WARM_UP_SECONDS, 0);
        percentiles("single at " + (int) SINGLES_HALF + "/s", atRate(singles, SINGLES_HALF));
        full(server, nothing, "requests that do nothing", 1);
        full(server, singles, "submissions", 1);
    }

    private void hundreds(ProcessHandle server, int port, int idlePort) throws IOException {
        LoadClient batches = new LoadClient(port, APPLICATIONS, CONNECTIONS / 4, SubmissionBenchmark::batch);
        run(batches, WARM_UP_SECONDS, 0);
        percentiles("hundred at " + (int) BATCHES_HALF + "/s", atRate(batches, BATCHES_HALF));
        full(server, batches, "tasks, a hundred at a time", BATCH);
    }

    /**
     * Sends at a rate: first without measuring, because few concurrent requests use other code paths than many; then
     * for long enough to include a checkpoint.
     */
    private LoadClient.Outcome atRate(LoadClient client, double rate) throws IOException {
        run(client, WARM_UP_SECONDS / 2, rate);
        return run(client, 2 * seconds, rate);
    }

    /** Sends at full speed; also measures the processor time of the server. */
    private void full(ProcessHandle server, LoadClient client, String what, int each) throws IOException {
        Duration before = server.info().totalCpuDuration().orElse(Duration.ZERO);
        LoadClient.Outcome outcome = run(client, seconds, 0);
        Duration cost = server.info().totalCpuDuration().orElse(Duration.ZERO).minus(before);
        add(what + ", per second", each * outcome.perSecond());
        add(
                what + ": microseconds of the server's processor time for each",
                cost.toNanos() / 1e3 / each / outcome.answered());
    }

    private LoadClient.Outcome run(LoadClient client, double howLong, double rate) throws IOException {
        LoadClient.Outcome outcome = client.run(number, howLong, rate);
        number += outcome.answered() + outcome.refused() + 1;
        if (outcome.refused() > 0) {
            System.err.println(outcome.refused() + " requests failed");
        }
        return outcome;
    }

    private void percentiles(String what, LoadClient.Outcome outcome) {
        Histogram nanos = outcome.nanos();
        add(what + ": milliseconds to the answer, median", nanos.getValueAtPercentile(50) / 1e6);
        add(what + ": milliseconds to the answer, 99 of 100", nanos.getValueAtPercentile(99) / 1e6);
        add(what + ": answered per second", outcome.perSecond());
    }

    static String single(long number) {
        return "{\"id\":\"a" + number
                + "\",\"queue\":\"root.default\",\"user\":\"bench\",\"sealed\":true,\"tasks\":[{\"id\":\"t\","
                + "\"resources\":{\"vcore\":\"500m\",\"memory\":\"1Gi\"},\"command\":[\"work\",\"--input\",\"" + number
                + "\"]}]}";
    }

    private static String batch(long number) {
        StringBuilder text = new StringBuilder(8192);
        text.append("{\"id\":\"b")
                .append(number)
                .append("\",\"queue\":\"root.default\",\"user\":\"bench\",\"sealed\":true,\"tasks\":[");
        for (int i = 0; i < BATCH; i++) {
            text.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"t")
                    .append(i)
                    .append(
                            "\",\"resources\":{\"vcore\":\"500m\",\"memory\":\"1Gi\"},\"command\":[\"work\",\"--part\",\"")
                    .append(i)
                    .append("\"]}");
        }
        return text.append("]}").toString();
    }

    /** Commits single rows, each durable before the next. */
    private double commits(Path folder) throws StoreException {
        byte[] body = new byte[200];
        try (JournalStore store = Stores.open(folder, StoreOptions.DEFAULT)) {
            long sequence = 0;
            long began = System.nanoTime();
            long end = began + (long) (seconds / 2 * 1e9);
            while (System.nanoTime() < end) {
                sequence++;
                store.append(new StoredBatch(sequence, 1, Instant.EPOCH, body), List.of());
            }
            return sequence / ((System.nanoTime() - began) / 1e9);
        }
    }

    private void add(String figure, double value) {
        figures.computeIfAbsent(figure, name -> new ArrayList<>()).add(value);
        System.err.printf(Locale.ROOT, "%-70s %,12.1f%n", figure, value);
    }

    private void write(Path file) throws IOException {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        result.put("processors", Runtime.getRuntime().availableProcessors());
        result.put("connections", CONNECTIONS);
        Map<String, Object> all = new LinkedHashMap<>();
        figures.forEach((name, values) -> {
            all.put(
                    name,
                    Map.of(
                            "median",
                            round(median(name)),
                            "rounds",
                            values.stream().map(SubmissionBenchmark::round).toList()));
        });
        result.put("figures", all);
        double nothing = median("requests that do nothing, per second");
        double singles = median("submissions, per second");
        result.put(
                "ratios",
                Map.of(
                        "submissions to requests that do nothing", round(singles / nothing),
                        "submissions to commits of one row", round(singles / median("commits of one row per second"))));
        Files.writeString(
                file,
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(result) + "\n");
    }

    private double median(String figure) {
        List<Double> sorted = new ArrayList<>(figures.getOrDefault(figure, List.of(0.0)));
        sorted.sort(Comparator.naturalOrder());
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
