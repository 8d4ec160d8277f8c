package dev.sluice.server;

import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.DemandHistory.Demand;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The cluster of a research institute, for the pages: 64 nodes, four groups with the three share policies, running,
 * waiting, failed and preempted work, and two weeks of history. The work of the past runs on no node of the server.
 */
final class ResearchCluster {

    static final String QUEUES = """
            partitions:
              - name: default
                topology: [zone, rack]
                queues:
                  - name: root
                    queues:
                      - name: physics
                        resources: {guaranteed: {vcore: 400}, max: {vcore: 900}}
                        properties: {queue.share.policy: usage, usage.priority.halftime: 1d}
                        queues:
                          - {name: detector, properties: {usage.priority.factor: "2"}}
                          - {name: lattice}
                          - {name: theory}
                      - name: biology
                        resources: {guaranteed: {vcore: 300}, max: {vcore: 600}}
                        queues:
                          - {name: genomes, properties: {application.sort.policy: fewestrunning}}
                          - {name: imaging, resources: {max: {vcore: 96, memory: 384Gi}}}
                      - name: learning
                        resources: {guaranteed: {gpu: 96, vcore: 200}}
                        properties: {preemption.delay: 1s}
                        queues:
                          - {name: training, resources: {guaranteed: {gpu: 64}}}
                          - name: notebooks
                            properties: {application.sort.policy: fair}
                            resources: {max: {gpu: 32}}
                            limits:
                              - {limit: notebooks, users: ["*"], maxapplications: 3, maxresources: {gpu: 4}}
                      - {name: operations}
                      - name: tests
                        parent: true
                        properties: {queue.share.policy: load}
                        resources: {max: {vcore: 200}}
                        queues:
                          - {name: land, properties: {load.percent: "60"}}
                          - {name: review, properties: {load.percent: "40"}}
            """;

    private static final String PARTITION = "/partitions/default";
    private static final Instant AFTERNOON = Instant.parse("2026-11-26T15:00:00Z");
    private static final int DAYS = 14;
    private static final int PAST_RUNS = 6_000;
    private static final List<String> USERS =
            List.of("ada", "grace", "emmy", "lise", "rosalind", "alan", "kurt", "max");
    private static final List<String> LEAVES = List.of(
            "physics.detector",
            "physics.lattice",
            "physics.theory",
            "biology.genomes",
            "biology.imaging",
            "learning.training",
            "learning.notebooks",
            "tests.land",
            "tests.review");
    private static final List<String> NAMES =
            List.of("fit", "lattice-qcd", "spectrum", "align", "segment", "train", "notebook", "land", "review");

    private ResearchCluster() {}

    /** Writes the history of two weeks, before a server uses the folder. */
    static void writeHistory(Path folder, Instant end) throws StoreException {
        Random random = new Random(7);
        List<HistoryRecord> records = new ArrayList<>();
        long seconds = Duration.ofDays(DAYS).toSeconds();
        for (int i = 0; i < PAST_RUNS; i++) {
            Instant ended = end.minusSeconds(seconds - seconds * i / PAST_RUNS);
            if (isBusy(beforeAfternoon(ended, end), random)) {
                addRun(records, i, ended, random);
            }
        }
        try (JournalStore store = Stores.open(folder, StoreOptions.DEFAULT)) {
            store.appendHistory(records);
            store.demand().append(demand(end, Duration.ofHours(1), 24 * DAYS, random));
            store.demand().append(demand(end, Duration.ofMinutes(5), 24 * 12, random));
        }
    }

    /** Returns what waited in root and in the queues of physics: more by day than at night. */
    private static List<Demand> demand(Instant end, Duration length, int count, Random random) {
        List<Demand> demands = new ArrayList<>();
        long last = end.getEpochSecond() / length.toSeconds() * length.toSeconds();
        for (int i = 0; i < count; i++) {
            Instant from = Instant.ofEpochSecond(last - i * length.toSeconds());
            int hour = beforeAfternoon(from, end).getHour();
            long tasks = hour < 7 || hour > 20 ? random.nextInt(10) : 20 + random.nextInt(40);
            demands.add(demand("root", from, length, 3 * tasks, 900_000));
            demands.add(demand("root.physics", from, length, 2 * tasks, 400_000));
            demands.add(demand("root.physics.detector", from, length, tasks, 200_000));
        }
        return demands;
    }

    private static Demand demand(String queue, Instant from, Duration length, long tasks, long due) {
        return new Demand(
                "default",
                queue,
                from,
                length,
                tasks,
                new TreeMap<>(Map.of("vcore", tasks * 8_000, "memory", (tasks * 16) << 30)),
                new TreeMap<>(Map.of("vcore", due)));
    }

    /** Returns whether a run ends at this time: more do by day than at night and at weekends. */
    /** Returns a time before the end of the history as if that was in an afternoon: pages look alike at every hour. */
    private static OffsetDateTime beforeAfternoon(Instant time, Instant end) {
        return AFTERNOON.minus(Duration.between(time, end)).atOffset(ZoneOffset.UTC);
    }

    private static boolean isBusy(OffsetDateTime local, Random random) {
        boolean night = local.getHour() < 7 || local.getHour() > 20;
        boolean weekend = local.getDayOfWeek().getValue() > 5;
        return random.nextInt(100) < (weekend ? 35 : night ? 60 : 100);
    }

    private static void addRun(List<HistoryRecord> records, int i, Instant ended, Random random) {
        int leaf = random.nextInt(LEAVES.size());
        boolean gpus = LEAVES.get(leaf).startsWith("learning");
        String id = NAMES.get(leaf) + "-" + (1_000 + i / 5);
        String queue = "root." + LEAVES.get(leaf);
        String user = USERS.get((leaf + random.nextInt(3)) % USERS.size());
        String node = gpus ? node("gpu", 1 + random.nextInt(16)) : node("cpu", 1 + random.nextInt(48));
        long sequence = (long) i - PAST_RUNS;
        Duration ran = Duration.ofMinutes(20 + random.nextInt(gpus ? 1_400 : 500));
        Duration waited = Duration.ofSeconds(random.nextInt(5) == 0 ? random.nextInt(7_200) : random.nextInt(60));
        Instant placed = ended.minus(ran);
        RunEnd how = random.nextInt(25) == 0 ? RunEnd.FAILED : RunEnd.SUCCEEDED;
        boolean failed = how == RunEnd.FAILED;
        TreeMap<String, Long> used = new TreeMap<>(Map.of(
                "vcore",
                1_000L * (gpus ? 8 : 8 + 8L * random.nextInt(4)),
                "memory",
                (32L + random.nextInt(64)) << 30,
                "slots",
                4L + random.nextInt(8)));
        if (gpus) {
            used.put("gpu", 1L + random.nextInt(3));
        }
        Instant submitted = placed.minus(waited);
        records.add(new HistoryRecord.RunUsage(
                sequence, new RunAccount("default", queue, user, id, used), node, placed, ended, waited, how));
        records.add(new HistoryRecord.TaskEnd(
                sequence,
                "default",
                id,
                submitted,
                "run-" + i % 5,
                1,
                node,
                placed,
                placed,
                ended,
                failed ? TaskOutcome.FAILED : TaskOutcome.SUCCEEDED,
                failed ? 1 : null,
                failed ? "exit code 1" : "",
                false,
                null,
                null));
        records.add(new HistoryRecord.FinishedApplication(
                sequence,
                "default",
                id + "-" + i % 5,
                NAMES.get(leaf),
                queue,
                user,
                failed ? ApplicationState.FAILED : ApplicationState.COMPLETED,
                failed ? "task run-" + i % 5 + " failed" : "",
                submitted,
                ended,
                "{}"));
    }

    private static String node(String kind, int number) {
        return String.format("%s-%02d", kind, number);
    }

    /** Configures queues, registers nodes and submits work; the settings of the server have a node of their own. */
    static void fill(TestHttpClient client) {
        RoutesFixture.ok(client.send("PUT", "/configuration?note=First", QUEUES, TestHttpClient.YAML));
        for (int i = 1; i <= 64; i++) {
            boolean gpus = i > 48;
            String capacity = gpus
                    ? "{\"vcore\": \"64\", \"memory\": \"512Gi\", \"gpu\": \"8\", \"slots\": \"64\"}"
                    : "{\"vcore\": \"32\", \"memory\": \"128Gi\", \"slots\": \"32\"}";
            String labels = "{\"kind\": \"compute\", \"zone\": \"" + (i % 2 == 0 ? "east" : "west")
                    + "\", \"rack\": \"r" + i % 8 + "\"}";
            RoutesFixture.expect(
                    201,
                    "",
                    client.post(
                            PARTITION + "/nodes",
                            "{\"name\": \"" + node(gpus ? "gpu" : "cpu", gpus ? i - 48 : i) + "\", \"capacity\": "
                                    + capacity + ", \"labels\": " + labels + "}"));
        }
        submit(client, "collisions", "physics.detector", "ada", 600, "{vcore: 2, memory: 4Gi}");
        submit(client, "lattice-qcd", "physics.lattice", "emmy", 90, "{vcore: 4, memory: 8Gi}");
        submit(client, "spectrum", "physics.theory", "lise", 60, "{vcore: 1, memory: 2Gi}");
        submit(client, "genomes-2026", "biology.genomes", "rosalind", 90, "{vcore: 4, memory: 12Gi}");
        submit(client, "proteins", "biology.genomes", "grace", 40, "{vcore: 4, memory: 8Gi}");
        submit(client, "cells", "biology.imaging", "kurt", 30, "{vcore: 8, memory: 24Gi}");
        submit(client, "explore", "learning.notebooks", "max", 2, "{vcore: 4, memory: 16Gi, gpu: 1}");
        submit(client, "explore-again", "learning.notebooks", "max", 4, "{vcore: 4, memory: 16Gi, gpu: 1}");
        submit(client, "land-4711", "tests.land", "alan", 50, "{vcore: 1, memory: 1Gi}");
        submit(client, "review-813", "tests.review", "grace", 70, "{vcore: 1, memory: 1Gi}");
        submit(client, "huge", "biology.genomes", "rosalind", 1, "{vcore: 96, memory: 1Ti}");
        gang(client, "train-vision", "ada", 8);
        gang(client, "train-language", "grace", 14);
        RoutesFixture.ok(client.post(PARTITION + "/nodes/cpu-17/offline", ""));
        RoutesFixture.ok(client.post(PARTITION + "/nodes/gpu-03/flaky", ""));
        client.awaitState("collisions", "Running");
        report(client, "collisions", 40, "succeeded");
        report(client, "genomes-2026", 3, "failed");
        report(client, "lattice-qcd", 90, "started");
        submitOwn(client);
        RoutesFixture.ok(client.send(
                "PUT",
                "/configuration?note=More%20for%20learning",
                QUEUES.replace("{gpu: 32}", "{gpu: 48}"),
                TestHttpClient.YAML,
                "Sluice-User",
                "grace"));
    }

    private static void submit(
            TestHttpClient client, String id, String queue, String user, int tasks, String resources) {
        send(
                client,
                "applications:\n  - {id: " + id + ", queue: root." + queue + ", user: " + user
                        + ", tags: {project: " + id + "}, tasks: [{id: run, count: " + tasks
                        + ", retries: 2, resources: "
                        + resources + ", nodeSelector: {kind: compute}, command: work}]}\n");
    }

    private static void gang(TestHttpClient client, String id, String user, int workers) {
        send(
                client,
                "applications:\n  - id: " + id + "\n    queue: root.learning.training\n    user: " + user
                        + "\n    gang: {tasks: {worker: " + workers + "}, topology: {key: zone}}\n"
                        + "    tasks: [{id: worker, count: " + workers
                        + ", resources: {vcore: 8, memory: 64Gi, gpu: 8}, command: train}]\n");
    }

    /** Submits work that the node of the server runs: a log, a retried and a failed task, and tasks that wait. */
    private static void submitOwn(TestHttpClient client) {
        send(client, """
                applications:
                  - id: nightly-report
                    queue: root.operations
                    user: lise
                    tags: {project: report}
                    tasks:
                      - {id: fetch, count: 3, resources: {vcore: 100m}, nodeSelector: {kind: service}, command: "sleep 2"}
                      - {id: check, resources: {vcore: 100m}, nodeSelector: {kind: service}, retries: 1, command: "sleep 1; exit 3"}
                      - id: fit
                        resources: {vcore: 100m}
                        nodeSelector: {kind: service}
                        after: {fetch: succeeded}
                        command: "for i in 1 2 3 4 5 6 7 8 9; do echo \\"2026-11-24 03:00:0$i step $i of 9: chi2 = 1.$i\\"; sleep 0.2; done; sleep 900"
                      - {id: publish, resources: {vcore: 100m}, nodeSelector: {kind: service}, after: {fit: succeeded}, command: "true"}
                """);
        for (int i = 1; i <= 12; i++) {
            send(
                    client,
                    "applications:\n  - {id: backup-" + i + ", queue: root.operations, user: alan, tasks: [{id: copy,"
                            + " resources: {vcore: 100m}, nodeSelector: {kind: service}, command: sleep 0.1}]}\n");
        }
        client.awaitState("backup-12", "Completed");
        await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> client.get(PARTITION + "/applications/nightly-report/tasks/fit")
                                .text(),
                        text -> text.contains("\"started\":\""));
    }

    private static void send(TestHttpClient client, String jobs) {
        RoutesFixture.ok(client.send("POST", "/submissions", jobs, TestHttpClient.YAML));
    }

    /** Reports for some allocated tasks of an application, as an agent does. */
    private static void report(TestHttpClient client, String application, int count, String status) {
        List<String> reports = new ArrayList<>();
        JsonNode tasks = RoutesFixture.ok(client.get(PARTITION + "/applications/" + application + "/tasks?limit=1000"))
                .json()
                .get("items");
        for (JsonNode task : tasks) {
            if (reports.size() < count && task.path("node").isString()) {
                reports.add("{\"application\": \"" + application + "\", \"task\": \""
                        + task.get("id").asString() + "\", \"attempt\": "
                        + task.get("attempt").asInt() + ", \"status\": \"" + status + "\"}");
            }
        }
        RoutesFixture.ok(client.post(PARTITION + "/reports", "{\"reports\": [" + String.join(", ", reports) + "]}"));
    }
}
