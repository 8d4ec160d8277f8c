package dev.sluice.benchmarks.page;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * 10,000 nodes of 4 cores, 1,000 leaf queues below ten parents, 100,000 applications of one task, of which 40,000 run,
 * and a month of history with a million runs of 20,000 applications.
 */
final class LargeState {

    static final String PARTITION = "/partitions/default";

    static final int NODES = 10_000;
    static final int APPLICATIONS = 100_000;
    static final int RUNS = 1_000_000;

    private static final int PARENTS = 10;
    private static final int LEAVES = 100;
    private static final int USERS = 50;
    private static final int BATCH = 10_000;
    private static final int SUBMITTED_AT_ONCE = 1_000;
    private static final int HISTORY_APPLICATIONS = 20_000;
    private static final int RUNS_OF_FINISHED = 10;
    private static final Duration MONTH = Duration.ofDays(30);

    private LargeState() {}

    /** Returns the path of the queue of an application. */
    static String queue(int application) {
        return "root.team" + application % PARENTS + ".leaf" + application / PARENTS % LEAVES;
    }

    /** Writes the history of ended runs, before a server uses the folder; its events precede those of the server. */
    static void writeHistory(Path folder) throws StoreException {
        Random random = new Random(1);
        Instant end = Instant.now();
        try (JournalStore store = Stores.open(folder, StoreOptions.DEFAULT)) {
            List<HistoryRecord> batch = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                add(batch, i, end.minus(MONTH.multipliedBy(RUNS - i).dividedBy(RUNS)), random);
                if (batch.size() >= BATCH || i == RUNS - 1) {
                    store.appendHistory(batch);
                    batch.clear();
                }
            }
        }
    }

    private static void add(List<HistoryRecord> batch, int i, Instant ended, Random random) {
        int application = random.nextInt(HISTORY_APPLICATIONS);
        long sequence = (long) i - RUNS;
        String node = "n" + random.nextInt(NODES);
        String id = "past" + application;
        Instant placed = ended.minusMillis(random.nextInt(10_000_000));
        boolean failed = random.nextInt(20) == 0;
        batch.add(new HistoryRecord.RunUsage(
                sequence,
                new RunAccount(
                        "default",
                        queue(application),
                        "user" + application % USERS,
                        id,
                        new TreeMap<>(Map.of("vcore", 1_000L * (1 + application % 4), "memory", 1L << 32))),
                node,
                placed,
                ended,
                Duration.ofMillis(random.nextInt(10_000_000)),
                failed ? RunEnd.FAILED : RunEnd.SUCCEEDED));
        Instant submitted = placed.minusSeconds(1);
        batch.add(new HistoryRecord.TaskEnd(
                sequence,
                "default",
                id,
                submitted,
                "t" + i,
                1,
                node,
                placed,
                placed,
                ended,
                failed ? TaskOutcome.FAILED : TaskOutcome.SUCCEEDED,
                failed ? 1 : null,
                "",
                false,
                null,
                null));
        if (i % RUNS_OF_FINISHED == 0) {
            batch.add(new HistoryRecord.FinishedApplication(
                    sequence,
                    "default",
                    id,
                    id,
                    queue(application),
                    "user" + application % USERS,
                    ApplicationState.COMPLETED,
                    "",
                    submitted,
                    ended,
                    "{}"));
        }
    }

    /** Configures queues, registers nodes and submits applications. */
    static void fill(PageClient client) throws IOException, InterruptedException {
        StringBuilder queues = new StringBuilder("partitions: [{name: default, queues: [{name: root, queues: [\n");
        for (int i = 0; i < PARENTS; i++) {
            queues.append("  {name: team").append(i).append(", queues: [");
            for (int j = 0; j < LEAVES; j++) {
                queues.append("{name: leaf").append(j).append("}, ");
            }
            queues.append("]},\n");
        }
        client.send("PUT", "/configuration", "application/yaml", queues + "]}]}]\n");
        for (int i = 0; i < NODES; i++) {
            client.post(
                    PARTITION + "/nodes",
                    "{\"name\": \"n" + i + "\", \"capacity\": {\"vcore\": \"4\", \"memory\": \"32Gi\"}}");
        }
        for (int i = 0; i < APPLICATIONS; i += SUBMITTED_AT_ONCE) {
            submit(client, i, SUBMITTED_AT_ONCE);
        }
    }

    /** Submits applications with these consecutive numbers. */
    static void submit(PageClient client, int first, int count) throws IOException, InterruptedException {
        StringBuilder batch = new StringBuilder("{\"applications\": [");
        for (int i = first; i < first + count; i++) {
            batch.append(i == first ? "" : ", ")
                    .append("{\"id\": \"a")
                    .append(i)
                    .append("\", \"queue\": \"")
                    .append(queue(i))
                    .append("\", \"user\": \"user")
                    .append(i % USERS)
                    .append(
                            "\", \"tasks\": [{\"id\": \"t\", \"resources\": {\"vcore\": \"1\", \"memory\": \"4Gi\"}}]}");
        }
        client.post("/submissions", batch + "]}");
    }
}
