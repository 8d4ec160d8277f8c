package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The worked examples of the load share policy, each as a snapshot of workers with one slot. */
class LoadVectorsTest {

    /**
     * Entitlements of each example: the percentage of the workers, rounded down; the largest class gets the remainder.
     */
    private static final Map<String, List<Integer>> ENTITLEMENTS = Map.of(
            "document, example 1", List.of(300, 250, 200, 150, 100, 0),
            "one class without waiting tasks", List.of(300, 250, 200, 150, 100),
            "document, example 2: entitlement, then loan", List.of(300, 250, 200, 150, 100),
            "classes that were inactive until now", List.of(300, 250, 200, 150, 100),
            "two entitlement rounds, a class at 0%", List.of(350, 300, 200, 0, 150),
            "percentages that add up to 80", List.of(390, 310, 180, 0, 120),
            "10,000 workers", List.of(3000, 2500, 1600, 1400, 600, 400, 300, 200),
            "two of eight classes active, almost no idle worker", List.of(1570, 818, 327, 294, 98, 65, 65, 33),
            "loans to two classes", List.of(1920, 1000, 400, 360, 120, 80, 80, 40),
            "two loan rounds", List.of(1920, 1000, 400, 360, 120, 80, 80, 40));

    private static final Map<String, List<Integer>> REBALANCE_ENTITLEMENTS = Map.of(
            "rebalance, ten workers", List.of(7, 2, 1),
            "rebalance without loans", List.of(3000, 2500, 1600, 1400, 600, 400, 300, 200),
            "rebalance with loans", List.of(3000, 2500, 1600, 1400, 600, 400, 300, 200));

    private static final String FIGURES =
            "%s: entitlement %d, loaned %d, start %d, running %d, waiting %d, stop %d, started %d, stopped %d, pending %d";

    @TempDir
    Path directory;

    private static JsonNode vectors() throws Exception {
        try (InputStream in = LoadVectorsTest.class.getResourceAsStream("/vectors/load-share.json")) {
            return new ObjectMapper().readTree(in);
        }
    }

    @TestFactory
    List<DynamicTest> example_planned_showsTheFiguresOfItsClasses() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode example : vectors().get("allocate")) {
            String name = example.get("name").asString();
            tests.add(DynamicTest.dynamicTest(name, () -> check(example, ENTITLEMENTS.getOrDefault(name, List.of()))));
        }
        for (JsonNode example : vectors().get("rebalance")) {
            String name = example.get("name").asString();
            tests.add(DynamicTest.dynamicTest(
                    name, () -> check(example, REBALANCE_ENTITLEMENTS.getOrDefault(name, List.of()))));
        }
        return tests;
    }

    private void check(JsonNode example, List<Integer> entitlements) throws Exception {
        JsonNode plan = new ObjectMapper().readTree(plan(example, "-o", "json"));
        List<String> expected = new ArrayList<>();
        for (JsonNode each : example.get("classes")) {
            int entitlement = entitlements.get(expected.size());
            int running = each.get("running").asInt();
            int start = each.get("start").asInt();
            expected.add(FIGURES.formatted(
                    each.get("class").asString(),
                    entitlement,
                    Math.max(0, running - entitlement),
                    start,
                    running,
                    each.get("waiting").asInt(),
                    each.path("stop").asInt(),
                    start,
                    each.path("stop").asInt(),
                    each.get("waiting").asInt() - start + each.path("stop").asInt()));
        }
        List<String> figures = new ArrayList<>();
        for (JsonNode queue : plan.get("queues")) {
            String path = queue.get("path").asString();
            if (path.startsWith("root.")) {
                JsonNode share = queue.get("share");
                assertThat(share.propertyNames())
                        .containsExactly("percent", "entitlement", "loaned", "start", "running", "waiting", "preempt");
                figures.add(FIGURES.formatted(
                        path.substring(5),
                        share.get("entitlement").asInt(),
                        share.get("loaned").asInt(),
                        share.get("start").asInt(),
                        share.get("running").asInt(),
                        share.get("waiting").asInt(),
                        share.get("preempt").asInt(),
                        queue.get("started").asInt(),
                        queue.get("preempted").asInt(),
                        queue.get("pending").path("slots").asInt()));
            }
        }
        assertThat(figures).isEqualTo(expected);
    }

    /** The most recently started tasks are preempted and become pending when they have ended. */
    @Test
    void rebalance_planned_stopsTheMostRecentlyStarted() throws Exception {
        JsonNode example = vectors().get("rebalance").get(0);
        JsonNode plan = new ObjectMapper().readTree(plan(example, "-o", "json"));
        List<String> stops = new ArrayList<>();
        for (JsonNode stop : plan.get("preempt")) {
            stops.add(stop.get("queue").asString() + " " + stop.get("task").asString() + " "
                    + stop.get("reason").asString());
        }
        assertThat(stops)
                .containsExactly(
                        "root.c2 r-3 rebalance",
                        "root.c2 r-2 rebalance",
                        "root.c2 r-1 rebalance",
                        "root.c1 r-3 rebalance",
                        "root.c1 r-2 rebalance");
        List<String> waiting = new ArrayList<>();
        for (JsonNode wait : plan.get("waiting")) {
            waiting.add(wait.get("application").asString() + " "
                    + wait.get("tasks").asInt() + " " + wait.get("reason").asString());
        }
        assertThat(waiting).contains("c1 2 preempting", "c2 3 preempting");
    }

    private String plan(JsonNode example, String... options) throws Exception {
        Path file = Files.writeString(directory.resolve("snapshot.yaml"), snapshot(example));
        Program.ProgramResult answer =
                Program.execute(Stream.concat(Stream.of("plan", file.toString()), Stream.of(options))
                        .toArray(String[]::new));
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        return answer.out();
    }

    private String tableOf(String name) throws Exception {
        for (JsonNode example : vectors().get("allocate")) {
            if (example.get("name").asString().startsWith(name)) {
                String out = plan(example);
                return out.substring(out.indexOf("Load classes"), out.indexOf("\nQueues after this cycle"));
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** Scoot, scheduler README, example 1. */
    @Test
    void example1_asATable_readsLikeTheDocument() throws Exception {
        assertThat(tableOf("document, example 1")).isEqualTo("""
                        Load classes of root: 1,000 workers, 290 idle before this cycle
                          CLASS  LOAD %  ENTITLEMENT  RUNNING  LOANED  WAITING  START  PREEMPT
                          c0         30          300      200       -      290     94        -
                          c1         25          250      300      50      230      -        -
                          c2         20          200        -       -      150    150        -
                          c3         15          150      100       -      150     46        -
                          c4         10          100      110      10       90      -        -
                          c5          0            0        -       -      328      -        -
                        """);
    }

    /** Scoot, scheduler README, example 2. */
    @Test
    void example2_asATable_readsLikeTheDocument() throws Exception {
        assertThat(tableOf("document, example 2")).isEqualTo("""
                        Load classes of root: 1,000 workers, 290 idle before this cycle
                          CLASS  LOAD %  ENTITLEMENT  RUNNING  LOANED  WAITING  START  PREEMPT
                          c0         30          300      200       -       10     10        -
                          c1         25          250      300      50      230    157        -
                          c2         20          200        -       -        -      -        -
                          c3         15          150      100       -       50     50        -
                          c4         10          100      110      10       90     73        -
                        """);
    }

    private static String snapshot(JsonNode example) {
        StringBuilder queues = new StringBuilder();
        StringBuilder applications = new StringBuilder();
        for (JsonNode each : example.get("classes")) {
            String name = each.get("class").asString();
            queues.append("          - {name: %s, properties: {load.percent: '%d'}}%n"
                    .formatted(name, each.get("percent").asInt()));
            int running = each.get("running").asInt();
            int waiting = each.get("waiting").asInt();
            if (running + waiting > 0) {
                applications.append("  - id: %s%n    queue: root.%s%n    tasks:%n".formatted(name, name));
                applications.append(
                        running == 0 ? "" : "      - {id: r, count: %d, state: running}%n".formatted(running));
                applications.append(waiting == 0 ? "" : "      - {id: t, count: %d}%n".formatted(waiting));
            }
        }
        return """
                at: 2026-01-01T12:00:00Z
                nodes: [{name: w, count: %d, capacity: {slots: 1}}]
                partitions:
                  - name: default
                    queues:
                      - name: root
                        properties: {queue.share.policy: load, load.rebalance.threshold: '%d'}
                        queues:
                """.formatted(
                                example.get("workers").asInt(),
                                example.path("threshold").asInt())
                + queues + "applications:\n" + applications
                + (example.has("threshold")
                        ? "queues: [{path: root, overthresholdsince: 2026-01-01T11:50:00Z}]\n"
                        : "");
    }
}
