package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

final class PlanCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private Path write(String text) throws Exception {
        return Files.writeString(directory.resolve("snapshot.yaml"), text);
    }

    private JsonNode plan(String text) throws Exception {
        ProgramResult answer = execute("plan", "-o", "json", write(text).toString());
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isZero();
        return JSON.readTree(answer.out());
    }

    private static List<String> texts(JsonNode list, String key) {
        return list.valueStream().map(item -> item.get(key).asString()).toList();
    }

    private static final String SMALL = """
            at: 2026-01-01T12:00:00Z
            partitions:
              - name: default
                queues: [{name: root, queues: [{name: a}, {name: b, resources: {max: {vcore: 2}}}]}]
            nodes: [{name: n, capacity: {vcore: 4, memory: 8Gi}}]
            applications:
              - {id: old, queue: root.a, submitted: 2026-01-01T11:00:00Z,
                 tasks: [{id: r, state: running, resources: {vcore: 1}}, {id: next, after: {r: succeeded}}]}
              - {id: new, queue: root.b, tasks: [{id: t, count: 4, resources: {vcore: 1, memory: 1Gi}}]}
              - {id: lost, tasks: [{id: t, count: 7}]}
            """;

    @Test
    void applications_submittedAtOneInstant_startInFileOrder() throws Exception {
        JsonNode plan = plan("""
                at: 2026-01-01T12:00:00Z
                nodes: [{name: n, capacity: {vcore: 3}}]
                applications:
                  - {id: z, queue: root.default, tasks: [{id: t, resources: {vcore: 1}}]}
                  - {id: x-10, queue: root.default, tasks: [{id: t, resources: {vcore: 1}}]}
                  - {id: x-2, queue: root.default, tasks: [{id: t, resources: {vcore: 1}}]}
                  - {id: a, queue: root.default, tasks: [{id: t, resources: {vcore: 1}}]}
                """);

        assertThat(texts(plan.get("start"), "application")).containsExactly("z", "x-10", "x-2");
    }

    @Test
    void task_inRetryDelay_waitsForIt() throws Exception {
        JsonNode plan = plan("""
                at: 2026-01-01T12:00:00Z
                nodes: [{name: n, capacity: {vcore: 3}}]
                applications:
                  - {id: a, tasks: [{id: t, retries: {times: 2, delay: 1m}, delays: [{until: 2026-01-01T12:00:30Z}]}]}
                """);
        assertThat(plan.toString()).contains("retry-delay", "starts at 2026-01-01T12:00:30Z at the earliest");
    }

    @Test
    void preemption_forGuarantee_namesNodeAndBeneficiary() throws Exception {
        JsonNode plan = plan("""
                at: 2026-01-01T12:00:00Z
                partitions:
                  - name: default
                    queues:
                      - name: root
                        queues: [{name: a, resources: {guaranteed: {vcore: 1}}}, {name: b}]
                nodes: [{name: n, capacity: {vcore: 2}}]
                applications:
                  - {id: x, queue: root.a, submitted: 2026-01-01T11:59:00Z, tasks: [{id: t, resources: {vcore: 1}}]}
                  - id: v
                    queue: root.b
                    tasks:
                      - {id: k, state: running, preemptible: false, resources: {vcore: 1}}
                      - {id: t, state: running, resources: {vcore: 1}}
                  - id: w
                    queue: root.a
                    submitted: 2026-01-01T11:00:00Z
                    pendingsince: 2026-01-01T11:59:59Z
                    tasks: [{id: t, resources: {vcore: 1}, priority: 1}]
                """);

        assertThat(plan.get("preempt").toString())
                .isEqualTo("[{\"partition\":\"default\",\"application\":\"v\",\"task\":\"t\",\"queue\":\"root.b\","
                        + "\"node\":\"n\",\"reason\":\"guarantee\",\"for\":{\"application\":\"x\",\"task\":\"t\"}}]");
    }

    /** The complete JSON output, which other programs depend on: keys, order, base units. */
    @Test
    void json_ofASmallSnapshot_isExactlyThis() throws Exception {
        ProgramResult answer = execute("plan", "-o", "json", write(SMALL).toString());

        assertThat(answer.out()).isEqualTo("""
                        {
                          "at": "2026-01-01T12:00:00Z",
                          "start": [
                            {"partition": "default", "application": "new", "task": "t-0", "node": "n", "queue": "root.b"},
                            {"partition": "default", "application": "new", "task": "t-1", "node": "n", "queue": "root.b"}
                          ],
                          "preempt": [],
                          "reserve": [],
                          "queues": [
                            {"partition": "default", "path": "root", "policy": "fair", "allocated": {"memory": 2147483648, "vcore": 3000}, "pending": {"memory": 2147483648, "vcore": 2000}, "started": 2, "preempted": 0, "share": {"dominant": 0.75}},
                            {"partition": "default", "path": "root.a", "policy": "fifo", "allocated": {"vcore": 1000}, "pending": {}, "started": 0, "preempted": 0, "share": {"dominant": 0.25}},
                            {"partition": "default", "path": "root.b", "policy": "fifo", "allocated": {"memory": 2147483648, "vcore": 2000}, "pending": {"memory": 2147483648, "vcore": 2000}, "started": 2, "preempted": 0, "share": {"dominant": 1.0}}
                          ],
                          "waiting": [
                            {"partition": "default", "application": "old", "tasks": 1, "reason": "after-task", "detail": "depends on r, which has not succeeded yet", "never": false},
                            {"partition": "default", "application": "new", "tasks": 2, "reason": "quota", "detail": "queue root.b is at its maximum: 1 of vcore missing", "never": false},
                            {"partition": "default", "application": "lost", "tasks": 7, "reason": "rejected", "detail": "queue root.default not found", "never": true}
                          ]
                        }
                        """);
    }

    @Test
    void json_ofReachedLimit_hasItsFields() throws Exception {
        JsonNode plan = plan("""
                at: 2026-01-01T12:00:00Z
                partitions: [{name: default, queues: [{name: a, limits: [{groups: [dev], maxresources: {vcore: 2}}]}]}]
                nodes: [{name: n, capacity: {vcore: 8}}]
                applications:
                  - {id: x, queue: root.a, groups: [dev], tasks: [{id: t, count: 3, resources: {vcore: 1500m}}]}
                """);

        assertThat(plan.at("/start")).hasSize(1);
        assertThat(plan.at("/waiting/0").toString())
                .isEqualTo(
                        "{\"partition\":\"default\",\"application\":\"x\",\"tasks\":2,\"reason\":\"group-limit\",\"detail\":\"group dev is at the limit of 2 of vcore in queue root.a: 1500m used, 1500m requested\",\"never\":false,\"limit\":{\"subject\":\"group\",\"name\":\"dev\",\"queue\":\"root.a\",\"resource\":\"vcore\",\"limit\":2000,\"used\":1500,\"asked\":1500}}");
    }

    @Test
    void table_ofSmallSnapshot_isExact() throws Exception {
        ProgramResult answer = execute("plan", write(SMALL).toString());

        assertThat(answer.out()).isEqualTo("""
                        Start: 2 tasks
                          TASK  APPLICATION  QUEUE   NODE
                          t-0   new          root.b  n
                          t-1   new          root.b  n

                        Preempt: nothing

                        Queues after this cycle
                          QUEUE  POLICY    SHARE  STARTS  PREEMPTED  ALLOCATED            PENDING
                          root   fair     75.0 %       2          -  memory 2Gi, vcore 3  memory 2Gi, vcore 2
                            a    fifo     25.0 %       -          -  vcore 1              -
                            b    fifo    100.0 %       2          -  memory 2Gi, vcore 2  memory 2Gi, vcore 2

                        Waiting: 3 tasks
                          TASKS  APPLICATION  REASON      WHY
                              1  old          after-task  depends on r, which has not succeeded yet
                              2  new          quota       queue root.b is at its maximum: 1 of vcore missing

                        Never, unless nodes or queues change: 7 tasks
                          TASKS  APPLICATION  REASON    WHY
                              7  lost         rejected  queue root.default not found

                        """);
        assertThat(answer.err()).contains("snapshot.yaml:10:5: warning:");
    }

    @Test
    void slots_declaredByANode_areShown() throws Exception {
        JsonNode plan = plan("""
                at: 2026-01-01T12:00:00Z
                nodes: [{name: w, capacity: {slots: 2}}]
                applications: [{id: a, queue: root.default, tasks: [{id: t, count: 3}]}]
                """);

        assertThat(plan.get("queues").get(1).get("allocated")).hasToString("{\"slots\":2}");
        assertThat(plan.get("queues").get(1).get("pending")).hasToString("{\"slots\":1}");
    }

    /** Node m has 90 % of its cores and 50 % of its memory allocated; node n has the given percentage of both. */
    private static String utilisation(String weights, int percentOfN) {
        return """
                at: 2026-01-01T12:00:00Z
                partitions:
                  - name: default
                    nodesortpolicy: {type: fair, resourceweights: %s}
                    queues: [{name: root, queues: [{name: a}]}]
                nodes:
                  - {name: m, capacity: {vcore: 1000, memory: 1000}}
                  - {name: n, capacity: {vcore: 1000, memory: 1000}}
                applications:
                  - id: before
                    queue: root.a
                    submitted: 2026-01-01T11:00:00Z
                    tasks:
                      - {id: m, state: running, node: m, resources: {vcore: 900, memory: 500}}
                      - {id: n, state: running, node: n, resources: {vcore: %d, memory: %d}}
                  - {id: now, queue: root.a, tasks: [{id: t, resources: {vcore: 1, memory: 1}}]}
                """.formatted(weights, percentOfN * 10, percentOfN * 10);
    }

    private String nodeChosen(String weights, int percentOfN) throws Exception {
        return texts(plan(utilisation(weights, percentOfN)).get("start"), "node")
                .get(0);
    }

    /** YuniKorn, sorting policies: with equal weights the node is 70 % used, with weight 4 for cores 82 %. */
    @Test
    void utilization_ofYuniKornExample_selectsNode() throws Exception {
        assertThat(nodeChosen("{vcore: 1.0, memory: 1.0}", 71)).isEqualTo("m");
        assertThat(nodeChosen("{vcore: 1.0, memory: 1.0}", 69)).isEqualTo("n");
        assertThat(nodeChosen("{vcore: 4.0, memory: 1.0}", 83)).isEqualTo("m");
        assertThat(nodeChosen("{vcore: 4.0, memory: 1.0}", 81)).isEqualTo("n");
    }

    /** Weights are relative: {4.0, 1.0} orders nodes like {1.0, 0.25}. */
    @Test
    void weights_inProportion_orderNodesAlike() throws Exception {
        for (int percent : new int[] {60, 69, 71, 81, 83, 90}) {
            assertThat(nodeChosen("{vcore: 4.0, memory: 1.0}", percent))
                    .as("%d %%", percent)
                    .isEqualTo(nodeChosen("{vcore: 1.0, memory: 0.25}", percent));
        }
    }

    // root (fair)
    //  ├─ ci (load): land 60 %, diff 40 %; the tasks of land fit nowhere
    //  └─ batch
    @Test
    void loadClasses_whoseTasksDoNotFit_showAllocatedTasks() throws Exception {
        String partition = """
                  - name: %s
                    queues:
                      - name: root
                        queues:
                          - name: ci
                            properties: {queue.share.policy: load}
                            queues:
                              - {name: land, properties: {load.percent: '60'}}
                              - {name: diff, properties: {load.percent: '40'}}
                          - {name: batch}
                """;
        String one = """
                at: 2026-01-01T12:00:00Z
                nodes: [{name: big, capacity: {slots: 1, memory: 2}}, {name: w, count: 9, capacity: {slots: 1, memory: 1}}]
                applications:
                  - {id: a, queue: root.ci.land, tasks: [{id: t, count: 7, resources: {memory: 2}}]}
                  - id: b
                    queue: root.ci.diff
                    tasks: [{id: r, count: 2, state: running}, {id: t, count: 30}]
                partitions:
                """ + partition.formatted("default");

        assertThat(execute("plan", write(one).toString()).out()).contains("""

                Load classes of root.ci: 10 workers, 8 idle before this cycle
                  CLASS  LOAD %  ENTITLEMENT  RUNNING  LOANED  WAITING  START  PREEMPT  ALLOCATED
                  land       60            6        -       -        7      6        -          -
                  diff       40            4        2       -       30      2        -          8

                """);
        assertThat(execute("plan", "--color=always", write(one).toString()).out())
                .contains("\u001b[1mLoad classes of root.ci\u001b[0m: 10 workers")
                .contains("\u001b[33m8\u001b[0m");
        assertThat(execute("plan", write(one + partition.formatted("other")).toString())
                        .out())
                .contains("Load classes of root.ci in partition default: 10 workers, 8 idle before this cycle\n")
                .contains("Load classes of root.ci in partition other: 0 workers, 0 idle before this cycle\n");
    }

    @Test
    void config_given_replacesThePartitionsOfTheSnapshot() throws Exception {
        Path config = Files.writeString(
                directory.resolve("queues.yaml"),
                "partitions: [{name: default, queues: [{name: root, queues: [{name: a}, {name: b}]}]}]");

        ProgramResult answer = execute("plan", "-o", "json", write(SMALL).toString(), "--config", config.toString());

        assertThat(texts(JSON.readTree(answer.out()).get("start"), "task")).containsExactly("t-0", "t-1", "t-2");
    }

    @Test
    void standardInput_asFile_isRead() throws Exception {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(SMALL.getBytes(StandardCharsets.UTF_8)));
            assertThat(execute("plan", "-").out()).startsWith("Start: 2 tasks");
            System.setIn(new ByteArrayInputStream("at: 1\nnodes: 2\n".getBytes(StandardCharsets.UTF_8)));
            ProgramResult answer = execute("plan", "-");
            assertThat(answer.exitCode()).isEqualTo(2);
            assertThat(answer.out()).isEmpty();
            assertThat(answer.err()).contains("<stdin>:1:5: error:").contains("  1 | at: 1\n    |     ^");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void input_wrong_exits2WithThePlace() throws Exception {
        ProgramResult answer =
                execute("plan", write("at: 2026-01-01T12:00:00Z\nnode: []\n").toString());

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).contains("snapshot.yaml:2:1: error:").contains("did you mean");
        assertThat(execute("plan", "no-such-file").err()).isEqualTo("no-such-file: error: file not found\n");
        assertThat(execute("plan").exitCode()).isEqualTo(2);
    }

    @Test
    void colour_askedFor_isUsed() throws Exception {
        String file = write(SMALL).toString();

        assertThat(execute("plan", file, "--color=always").out()).contains("\u001b[1mStart\u001b[0m");
        assertThat(execute("plan", file, "--color=never").out()).doesNotContain("\u001b");
        assertThat(execute("plan", file).out()).doesNotContain("\u001b");
    }

    @Test
    void longTables_areCutUnlessAll() throws Exception {
        String file = write("""
                        at: 2026-01-01T12:00:00Z
                        nodes: [{name: w, count: 50, capacity: {slots: 1}}]
                        applications: [{id: a, queue: root.default, tasks: [{id: t, count: 60}]}]
                        """).toString();

        assertThat(execute("plan", file).out())
                .contains("Start: 50 tasks")
                .contains("… and 30 more (--all shows them)");
        assertThat(execute("plan", file, "--all").out()).contains("  t-49 ").doesNotContain("more");
    }

    @Test
    void examples_arePlanned() {
        assertThat(execute("plan", example("snapshot.yaml")).out()).contains("Start: 12 tasks");
        ProgramResult other = execute("plan", example("snapshot.yaml"), "--config", example("queues-teams.yaml"));
        assertThat(other.exitCode()).isZero();
        assertThat(other.out()).contains("Start: 10 tasks").contains("rejected");
    }

    /** 5,000 nodes, and 100,000 pending tasks of 1,000 equivalence classes in 100 leaf queues. */
    @Test
    @Tag("slow")
    void largeSnapshot_isPlannedWhole() throws Exception {
        StringBuilder text = new StringBuilder("at: 2026-01-01T12:00:00Z\n");
        text.append("partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n");
        for (int i = 0; i < 100; i++) {
            text.append("    - {name: q").append(i).append("}\n");
        }
        text.append("nodes:\n- {name: n, count: 5000, capacity: {vcore: 32, memory: 128Gi}}\napplications:\n");
        for (int i = 0; i < 1000; i++) {
            text.append("- id: app-")
                    .append(i)
                    .append("\n  queue: root.q")
                    .append(i % 100)
                    .append("\n  tasks:\n");
            for (int j = 0; j < 100; j++) {
                text.append("  - {id: t").append(j).append(", resources: {vcore: ");
                text.append(1 + (i + j) % 4)
                        .append(", memory: ")
                        .append(1 + i % 8)
                        .append("Gi}}\n");
            }
        }
        String file = write(text.toString()).toString();

        ProgramResult answer = execute("plan", "-o", "json", file);

        JsonNode plan = JSON.readTree(answer.out());
        long waiting = plan.get("waiting")
                .valueStream()
                .mapToLong(wait -> wait.get("tasks").asLong())
                .sum();
        assertThat(plan.get("start").size() + waiting).isEqualTo(100_000);
        assertThat(plan.get("start").size()).isGreaterThan(50_000);
    }

    @Test
    @Tag("slow")
    void hundredsOfPartitions_arePlannedEachByItself() throws Exception {
        int count = 400;
        StringBuilder text = new StringBuilder("at: 2026-01-01T12:00:00Z\npartitions:\n");
        for (int i = 0; i < count; i++) {
            text.append("- {name: p").append(i).append(", queues: [{name: root, queues: [{name: a}]}]}\n");
        }
        text.append("nodes:\n");
        for (int i = 0; i < count; i++) {
            text.append("- {name: n, partition: p").append(i).append(", capacity: {slots: 2}}\n");
        }
        text.append("applications:\n");
        for (int i = 0; i < count; i++) {
            text.append("- {id: app, partition: p").append(i).append(", queue: root.a, tasks: [{id: t, count: 3}]}\n");
        }

        JsonNode plan = plan(text.toString());

        assertThat(plan.get("start").size()).isEqualTo(2 * count);
        assertThat(plan.get("waiting").size()).isEqualTo(count);
        assertThat(texts(plan.get("start"), "partition").stream().distinct())
                .containsExactlyElementsOf(Stream.iterate(0, i -> i + 1)
                        .limit(count)
                        .map(i -> "p" + i)
                        .toList());
        assertThat(execute("plan", directory.resolve("snapshot.yaml").toString())
                        .out())
                .contains("  PARTITION  TASK  APPLICATION  QUEUE   NODE");
    }
}
