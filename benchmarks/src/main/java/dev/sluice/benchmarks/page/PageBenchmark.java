package dev.sluice.benchmarks.page;

import dev.sluice.benchmarks.rounds.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Measures the page of a {@link LargeState}: the first request of each page after a start, 50 more while the state
 * changes, and what 50 open pages cost the scheduler.
 */
public final class PageBenchmark {

    private static final int REQUESTS = 50;
    private static final int OPEN_PAGES = 50;
    private static final int ROUNDS = Integer.getInteger("sluice.rounds", 10);
    private static final int WARM_UPS = 1;
    private static final double SECONDS = 6;

    /** Ended and placed tasks per second. */
    private static final int RATE = 500;

    /** Longer than answers are shared, so that each round reads the state again. */
    private static final double PAUSE_SECONDS = 1.1;

    private static final long STARTED_MILLIS = 15_000;
    private static final String UI = "/ui/partitions/default";
    private static final String APPLICATION = UI + "/applications/a99999";
    private static final String QUEUE = UI + "/queues/root.team5.leaf7";

    /** The pages by name. */
    private static final Map<String, String> PAGES = pages();

    /** The pages that stay open. */
    private static final List<String> OPEN = List.of(
            "/ui", UI + "/queues", UI + "/applications", QUEUE, APPLICATION, UI + "/nodes", UI + "/nodes?from=2000");

    private final PageServerProcess server;
    private final PageClient client;

    private PageBenchmark(PageServerProcess server) {
        this.server = server;
        this.client = new PageClient(server.port());
    }

    private static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("overview", "/ui");
        pages.put("details of the overview", "/ui/details");
        pages.put("queues", UI + "/queues");
        pages.put("queues, all open", UI + "/queues?q=leaf");
        pages.put("parent queue", UI + "/queues/root.team5");
        pages.put("leaf queue", QUEUE);
        pages.put("applications", UI + "/applications");
        pages.put("applications, newest first", UI + "/applications?sort=newest");
        pages.put("application", APPLICATION);
        pages.put("task", APPLICATION + "/tasks/t");
        pages.put("finished applications", UI + "/finished");
        pages.put("nodes", UI + "/nodes");
        pages.put("nodes, search", UI + "/nodes?q=77");
        pages.put("node", UI + "/nodes/n77");
        pages.put("drain", UI + "/drain");
        for (String period : List.of("hour", "day", "week", "month")) {
            pages.put("usage of a " + period, UI + "/usage?period=" + period);
        }
        pages.put("usage of a month by user", UI + "/usage?period=month&by=user");
        pages.put("configuration", "/ui/configuration");
        return pages;
    }

    /**
     * Runs the benchmark.
     *
     * @param args the folder of the results, and optionally that of a filled server, which is created if missing
     */
    public static void main(String[] args) throws Exception {
        Path results = Path.of(args[0]);
        Path folder = args.length > 1 ? Path.of(args[1]) : Files.createTempDirectory("page-benchmark");
        if (!Files.exists(folder.resolve("filled"))) {
            LargeState.writeHistory(folder);
            try (PageServerProcess server = PageServerProcess.start(folder)) {
                LargeState.fill(new PageClient(server.port()));
            }
            Files.createFile(folder.resolve("filled"));
        }
        Machine machine = Machine.here();
        List<PageTimes> times;
        OpenPagesCost cost;
        try (PageServerProcess server = PageServerProcess.start(folder)) {
            PageBenchmark benchmark = new PageBenchmark(server);
            Thread.sleep(STARTED_MILLIS); // what a server does in the background after its start
            Map<String, Double> first = benchmark.first();
            Churn churn = Churn.of(benchmark.client);
            times = benchmark.times(first, churn);
            cost = benchmark.cost(churn);
        }
        new PageResults(machine, times, cost).write(results);
    }

    /** Returns how long the first request of each page takes. */
    private Map<String, Double> first() throws IOException, InterruptedException {
        Map<String, Double> first = new LinkedHashMap<>();
        for (Map.Entry<String, String> page : PAGES.entrySet()) {
            first.put(page.getKey(), millis(page.getValue()));
        }
        return first;
    }

    private double millis(String path) throws IOException, InterruptedException {
        long began = System.nanoTime();
        client.open(path);
        return (System.nanoTime() - began) / 1e6;
    }

    /** Requests every page once per round, in another order each time, while the state changes. */
    private List<PageTimes> times(Map<String, Double> first, Churn churn) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>(PAGES.keySet());
        Map<String, double[]> all = new LinkedHashMap<>();
        PAGES.keySet().forEach(name -> all.put(name, new double[REQUESTS]));
        Random random = new Random(1);
        for (int i = 0; i < REQUESTS; i++) {
            churn.run(PAUSE_SECONDS, RATE);
            Collections.shuffle(names, random);
            for (String name : names) {
                Objects.requireNonNull(all.get(name))[i] = millis(Objects.requireNonNull(PAGES.get(name)));
            }
        }
        List<PageTimes> times = new ArrayList<>();
        for (Map.Entry<String, String> page : PAGES.entrySet()) {
            String name = page.getKey();
            times.add(PageTimes.of(
                    name,
                    Objects.requireNonNull(first.get(name)),
                    Objects.requireNonNull(all.get(name)),
                    client.open(page.getValue())));
            System.err.println(times.get(times.size() - 1));
        }
        return times;
    }

    private OpenPagesCost cost(Churn churn) throws IOException, InterruptedException {
        List<OpenPagesCost.Round> rounds = new ArrayList<>();
        for (int i = -WARM_UPS; i < ROUNDS; i++) {
            OpenPagesCost.Measured without = measured(churn, () -> 0);
            OpenPagesCost.Measured with;
            try (OpenPages open = new OpenPages(client, OPEN, OPEN_PAGES)) {
                with = measured(churn, open::updates);
            }
            System.err.println(without + " " + with);
            if (i >= 0) {
                rounds.add(new OpenPagesCost.Round(without, with));
            }
        }
        return new OpenPagesCost(OPEN_PAGES, RATE, SECONDS, rounds);
    }

    private OpenPagesCost.Measured measured(Churn churn, LongSupplier updates)
            throws IOException, InterruptedException {
        PageServerProcess.Used before = server.used();
        long updatesBefore = updates.getAsLong();
        long began = System.nanoTime();
        long placed = churn.run(SECONDS, RATE);
        double nanos = System.nanoTime() - began;
        PageServerProcess.Used after = server.used();
        return new OpenPagesCost.Measured(
                placed * 1e9 / nanos,
                (after.scheduler() - before.scheduler()) / nanos,
                (after.process() - before.process()) / nanos,
                (updates.getAsLong() - updatesBefore) * 1e9 / nanos / OPEN_PAGES);
    }
}
