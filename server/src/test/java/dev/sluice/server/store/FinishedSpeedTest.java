package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.runtime.journal.FinishedOrder;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.JournalStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long pages of a million finished applications take in SQLite, in each order and with each filter. */
@Tag("long")
final class FinishedSpeedTest {

    private static final int APPLICATIONS = 1_000_000;
    private static final int BATCH = 2_000;
    private static final int TRIES = 5;
    private static final Duration MAX = Duration.ofMillis(300);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** The user with half of the applications, and a name with 40 % of them. */
    private static final String HEAVY = "heavy";

    private static final String RECURRING = "recurring";

    /** A document as long as those of small applications. */
    private static final String DOCUMENT = "{\"id\": \"" + "0123456789".repeat(90) + "\"}";

    private static FinishedApplication application(long number, Random random) {
        Instant ended = START.plusSeconds(number * 8);
        String queue = random.nextInt(3) == 0
                ? "root.main.sub" + random.nextInt(3)
                : "root.team" + random.nextInt(20) + ".leaf" + random.nextInt(10);
        int state = random.nextInt(1000);
        return new FinishedApplication(
                number * 7,
                "default",
                "app-" + number,
                random.nextInt(10) < 4 ? RECURRING : "name" + random.nextInt(300),
                queue,
                random.nextBoolean() ? HEAVY : "user" + random.nextInt(1000),
                state == 0
                        ? ApplicationState.REJECTED
                        : state < 50 ? ApplicationState.FAILED : ApplicationState.COMPLETED,
                "",
                ended.minusSeconds((long) Math.exp(random.nextDouble() * 12)),
                ended,
                DOCUMENT);
    }

    private static void fill(JournalStore store) throws Exception {
        Random random = new Random(1);
        for (long first = 1; first <= APPLICATIONS; first += BATCH) {
            List<HistoryRecord> batch = new ArrayList<>(BATCH);
            for (long number = first; number < first + BATCH; number++) {
                batch.add(application(number, random));
            }
            store.appendHistory(batch);
        }
    }

    private static FinishedQuery query(
            @Nullable String id,
            @Nullable String name,
            @Nullable String queue,
            @Nullable String user,
            @Nullable ApplicationState state) {
        return new FinishedQuery("default", id, null, name, queue, user, state, null, null, Long.MAX_VALUE, 101);
    }

    private static FinishedQuery between(long from, long to) {
        return new FinishedQuery(
                "default",
                null,
                null,
                null,
                null,
                null,
                null,
                START.plusSeconds(from * 8),
                START.plusSeconds(to * 8),
                Long.MAX_VALUE,
                101);
    }

    /** Filters that match many, few and none. */
    private static Map<String, FinishedQuery> queries() {
        ApplicationState none = ApplicationState.EXPIRED; // no application ends in it
        Map<String, FinishedQuery> queries = new LinkedHashMap<>();
        queries.put("all", query(null, null, null, null, null));
        queries.put("id", query("app-500000", null, null, null, null));
        queries.put("name of many", query(null, RECURRING, null, null, null));
        queries.put("name of none", query(null, "none", null, null, null));
        queries.put("queue of many", query(null, null, "root.main", null, null));
        queries.put("queue of few", query(null, null, "root.team7.leaf3", null, null));
        queries.put("queue of none", query(null, null, "root.none", null, null));
        queries.put("user of many", query(null, null, null, HEAVY, null));
        queries.put("user of few", query(null, null, null, "user7", null));
        queries.put("user of none", query(null, null, null, "none", null));
        queries.put("state of few", query(null, null, null, null, ApplicationState.REJECTED));
        queries.put("state of none", query(null, null, null, null, none));
        queries.put("name and user of none", query(null, RECURRING, null, "none", null));
        queries.put("name of many, state of none", query(null, RECURRING, null, null, none));
        queries.put("user of many, state of none", query(null, null, null, HEAVY, none));
        queries.put("queue of many, state of none", query(null, null, "root.main", null, none));
        queries.put("all of many, state of none", query(null, RECURRING, "root.main", HEAVY, none));
        queries.put("interval of few", between(500_000, 500_050));
        queries.put("interval of none", between(2_000_000, 3_000_000));
        return queries;
    }

    @Test
    void pages_ofAMillionApplications_areFast(@TempDir Path folder) throws Exception {
        Map<String, Duration> slow = new LinkedHashMap<>();
        StringBuilder table = new StringBuilder();
        try (JournalStore store = Stores.open(folder, StoreOptions.DEFAULT)) {
            fill(store);
            FinishedApplication middle =
                    store.finished(between(500_000, 500_001)).get(0);
            for (FinishedOrder.Key key : FinishedOrder.Key.values()) {
                for (boolean reversed : List.of(false, true)) {
                    for (var query : queries().entrySet()) {
                        for (FinishedApplication after : new FinishedApplication[] {null, middle}) {
                            FinishedOrder order = new FinishedOrder(key, reversed, after);
                            String what = key + (reversed ? " reversed" : "")
                                    + (after == null ? "" : " from the middle") + ", " + query.getKey();
                            Duration fastest = fastest(store, query.getValue().in(order));
                            table.append(fastest.toMillis())
                                    .append(" ms: ")
                                    .append(what)
                                    .append('\n');
                            if (fastest.compareTo(MAX) >= 0) {
                                slow.put(what, fastest);
                            }
                        }
                    }
                }
            }
        }
        System.out.println(table);
        assertThat(slow).isEmpty();
    }

    /** Returns the shortest time of some tries, since other programs may use the machine. */
    private static Duration fastest(JournalStore store, FinishedQuery query) throws Exception {
        Duration fastest = Duration.ofDays(1);
        for (int i = 0; i < TRIES; i++) {
            long began = System.nanoTime();
            store.finished(query);
            Duration time = Duration.ofNanos(System.nanoTime() - began);
            fastest = time.compareTo(fastest) < 0 ? time : fastest;
        }
        return fastest;
    }
}
