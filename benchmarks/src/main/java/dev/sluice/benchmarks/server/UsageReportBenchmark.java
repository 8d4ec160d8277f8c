package dev.sluice.benchmarks.server;

import dev.sluice.benchmarks.rounds.Machine;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import dev.sluice.server.usage.UsageTally;
import dev.sluice.server.usage.UsageTally.Dimension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Measures how long it takes to sum the usage of a million runs in SQLite. */
public final class UsageReportBenchmark {

    private static final int RUNS = 1_000_000;
    private static final int BATCH = 10_000;
    private static final int ROUNDS = 10;
    private static final Instant BEGIN = Instant.parse("2026-11-01T00:00:00Z");

    private UsageReportBenchmark() {}

    /** Runs the benchmark and prints a table; the optional argument is the number of runs (1,000,000). */
    public static void main(String[] arguments) throws StoreException, IOException {
        System.out.println(Machine.here());
        int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : RUNS;
        Path folder = Files.createTempDirectory("usage-benchmark");
        try (JournalStore store = Stores.open(folder, StoreOptions.DEFAULT)) {
            fill(store, runs);
            long bytes;
            try (Stream<Path> files = Files.walk(folder)) {
                bytes = files.filter(file -> file.getFileName().toString().equals("sluice.db"))
                        .mapToLong(file -> file.toFile().length())
                        .sum();
            }
            System.out.printf(Locale.ROOT, "%d bytes per run%n", bytes / runs);
            System.out.printf(
                    Locale.ROOT,
                    "%,d runs of 10 queues, 50 users, 2,000 applications and 100 nodes; wall-clock time of %d rounds%n",
                    runs,
                    ROUNDS);
            Instant end = BEGIN.plusSeconds(runs);
            measure(store, "queue and user", BEGIN, end, Dimension.QUEUE, Dimension.USER);
            measure(store, "application", BEGIN, end, Dimension.APPLICATION);
            measure(store, "node", BEGIN, end, Dimension.NODE);
            measure(store, "queue, last tenth", BEGIN.plusSeconds(runs / 10L * 9), end, Dimension.QUEUE);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted((a, b) -> b.compareTo(a))
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static void fill(JournalStore store, int runs) throws StoreException {
        Random random = new Random(1);
        List<HistoryRecord> batch = new ArrayList<>();
        for (int i = 1; i <= runs; i++) {
            int application = random.nextInt(2_000);
            Instant released = BEGIN.plusSeconds(i);
            Instant placed = released.minusMillis(random.nextInt(10_000_000));
            batch.add(new HistoryRecord.RunUsage(
                    i,
                    new RunAccount(
                            "default",
                            "root.team-" + application % 10,
                            "user-" + application % 50,
                            "application-" + application,
                            new TreeMap<>(Map.of("vcore", 1_000L * (1 + application % 8), "memory", 1L << 32))),
                    "node-" + random.nextInt(100),
                    placed,
                    released,
                    Duration.ofMillis(random.nextInt(10_000_000)),
                    random.nextInt(20) == 0 ? RunEnd.FAILED : RunEnd.SUCCEEDED));
            if (batch.size() == BATCH || i == runs) {
                store.appendHistory(batch);
                batch.clear();
            }
        }
    }

    private static void measure(JournalStore store, String by, Instant from, Instant to, Dimension... dimensions)
            throws StoreException {
        List<Dimension> all = List.of(dimensions);
        double[] seconds = new double[ROUNDS];
        int groups = 0;
        for (int i = -1; i < ROUNDS; i++) {
            long began = System.nanoTime();
            UsageTally tally = new UsageTally(all, from, to, Integer.MAX_VALUE);
            store.usage(new UsageQuery("default", from, to, Long.MAX_VALUE, all.contains(Dimension.NODE)), tally::add);
            groups = tally.groups().size();
            if (i >= 0) {
                seconds[i] = (System.nanoTime() - began) / 1e9;
            }
        }
        Arrays.sort(seconds);
        System.out.printf(
                Locale.ROOT,
                "by %-18s %,6d groups: median %.2f s (%.2f to %.2f s)%n",
                by,
                groups,
                seconds[ROUNDS / 2],
                seconds[0],
                seconds[ROUNDS - 1]);
    }
}
