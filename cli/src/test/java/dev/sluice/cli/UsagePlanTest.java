package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Plans of snapshots with share policy usage. */
final class UsagePlanTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Armada, priority calculation: 10 cores, 20 GiB and 5 GPUs; 5 cores, 2 GiB and 1 GPU count as a usage of 8. */
    private static final String EXAMPLE = """
            at: 2026-01-01T12:00:00Z
            partitions:
              - name: default
                queues:
                  - name: root
                    properties: {queue.share.policy: usage}
                    queues: [{name: a}, {name: b, properties: {usage.priority.factor: '2'}}, {name: idle}]
            nodes: [{name: n, capacity: {vcore: 10, memory: 20Gi, gpu: 5}}]
            applications:
              - id: before
                queue: root.a
                submitted: 2026-01-01T11:00:00Z
                tasks:
                  - {id: r, state: running, resources: {vcore: 5, memory: 2Gi, gpu: 1}}
                  - {id: t, count: 20, resources: {vcore: 1}}
              - {id: now, queue: root.b, tasks: [{id: t, count: 20, resources: {vcore: 1}}]}
            queues: [{path: root.a, usagepriority: 3.1}]
            """;

    /** Armada, priority calculation: queues with priorities 1 and 2 and no running tasks. */
    private static final String TWO_THIRDS = """
            at: 2026-01-01T12:00:00Z
            partitions:
              - name: default
                queues:
                  - name: root
                    properties: {queue.share.policy: usage, usage.priority.halftime: 1h}
                    queues: [{name: a}, {name: b}]
            nodes: [{name: n, capacity: {vcore: 9, slots: 100}}]
            applications:
              - {id: x, queue: root.a, tasks: [{id: t, count: 20, resources: {vcore: 1}}]}
              - {id: y, queue: root.b, tasks: [{id: t, count: 20, resources: {vcore: 1}}]}
            queues: [{path: root.a, usagepriority: 1}, {path: root.b, usagepriority: 2}]
            """;

    @TempDir
    Path directory;

    private ProgramResult execute(String text, String... options) throws Exception {
        Path file = Files.writeString(directory.resolve("snapshot.yaml"), text);
        String[] arguments = IntStream.range(0, options.length + 2)
                .mapToObj(i -> i == 0 ? "plan" : i == 1 ? file.toString() : options[i - 2])
                .toArray(String[]::new);
        ProgramResult answer = Program.execute(arguments);
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isZero();
        return answer;
    }

    private JsonNode share(String text, String path) throws Exception {
        return JSON.readTree(execute(text, "-o", "json").out())
                .get("queues")
                .valueStream()
                .filter(queue -> queue.get("path").asString().equals(path))
                .map(queue -> Objects.requireNonNull(queue.get("share")))
                .findFirst()
                .orElseThrow();
    }

    private long starts(String text, String queue) throws Exception {
        return JSON.readTree(execute(text, "-o", "json").out())
                .get("start")
                .valueStream()
                .filter(start -> start.get("queue").asString().equals(queue))
                .count();
    }

    @Test
    void share_inJson_isExactlyThis() throws Exception {
        assertThat(share(EXAMPLE, "root.a"))
                .hasToString("{\"usage\":8.0,\"usagePriority\":3.1,\"effectivePriority\":3.1,"
                        + "\"fraction\":0.24390243902439024,\"slice\":{}}");
        assertThat(share(EXAMPLE, "root.b"))
                .hasToString("{\"usage\":0.0,\"usagePriority\":0.0,\"effectivePriority\":1.0,"
                        + "\"fraction\":0.7560975609756098,"
                        + "\"slice\":{\"gpu\":4,\"memory\":19327352832,\"vcore\":5000}}");
        assertThat(share(EXAMPLE, "root.idle"))
                .hasToString("{\"usage\":0.0,\"usagePriority\":0.0,\"effectivePriority\":0.5,"
                        + "\"fraction\":0.0,\"slice\":{}}");
        assertThat(share(EXAMPLE, "root").propertyNames()).containsExactly("dominant");
    }

    @Test
    void share_withoutHistory_hasUsageAndNoPriority() throws Exception {
        String text = EXAMPLE.replaceAll("queues: \\[\\{path.*\n", "");

        assertThat(share(text, "root.a").get("usage").asDouble()).isEqualTo(8);
        assertThat(share(text, "root.a").get("usagePriority").asDouble()).isZero();
        assertThat(share(text, "root.a").get("effectivePriority").asDouble()).isEqualTo(0.5);
    }

    @Test
    void table_ofUsageParent_isExact() throws Exception {
        assertThat(execute(EXAMPLE).out()).contains("""
                Preempt: nothing

                Usage shares of root: half-life 20m
                  QUEUE  FACTOR  USAGE  USAGE PRIORITY  EFFECTIVE PRIORITY  FRACTION  SLICE                        STARTS
                  a           1   8.00            3.10                3.10    24.4 %  -                                 -
                  b           2      -               -                1.00    75.6 %  gpu 4, memory 18Gi, vcore 5       5
                  idle        1      -               -                0.50         -  -                                 -

                Queues after this cycle
                  QUEUE   POLICY         SHARE  STARTS  PREEMPTED  ALLOCATED                    PENDING
                  root    usage        100.0 %       5          -  gpu 1, memory 2Gi, vcore 10  vcore 35
                    a     fifo    usage 24.4 %       -          -  gpu 1, memory 2Gi, vcore 5   vcore 20
                    b     fifo    usage 75.6 %       5          -  vcore 5                      vcore 15
                    idle  fifo                       -          -  -                            -
                """);
    }

    @Test
    void table_ofSeveralPartitions_namesPartition() throws Exception {
        String text = EXAMPLE.replaceFirst("(?s)nodes:", """
                  - name: other
                    queues: [{name: root, properties: {queue.share.policy: usage}, queues: [{name: a}]}]
                nodes:""");

        assertThat(execute(text).out())
                .contains("Usage shares of root in partition default: half-life 20m\n")
                .contains("Usage shares of root in partition other: half-life 20m\n");
    }

    @Test
    void slices_ofPrioritiesOneAndTwo_areTwoThirdsAndOneThird() throws Exception {
        assertThat(share(TWO_THIRDS, "root.a").get("fraction").asDouble()).isEqualTo(2.0 / 3, within(1e-12));
        assertThat(share(TWO_THIRDS, "root.b").get("fraction").asDouble()).isEqualTo(1.0 / 3, within(1e-12));
        // slots are shown because a node declares them
        assertThat(share(TWO_THIRDS, "root.a").get("slice")).hasToString("{\"slots\":66,\"vcore\":6000}");
        assertThat(starts(TWO_THIRDS, "root.a")).isEqualTo(6);
        assertThat(starts(TWO_THIRDS, "root.b")).isEqualTo(3);
        assertThat(execute(TWO_THIRDS).out())
                .contains("Usage shares of root: half-life 1h\n")
                .contains(
                        "  a           1      -            1.00                1.00    66.7 %  slots 66, vcore 6       6\n")
                .contains(
                        "  b           1      -            2.00                2.00    33.3 %  slots 33, vcore 3       3\n");
    }

    @Test
    void slice_ofManyBytes_isRoundedToMebibytes() throws Exception {
        String text = TWO_THIRDS.replace("slots: 100", "memory: 10G");

        assertThat(share(text, "root.a").at("/slice/memory").asLong()).isEqualTo(6_666_666_666L);
        assertThat(execute(text).out()).contains(" memory 6357Mi, vcore 6 ");
    }

    /** Both slices are half of what a task needs, so a random draw decides. */
    @Test
    void seed_another_letsTheOtherQueueWin() throws Exception {
        String text = """
                at: 2026-01-01T12:00:00Z
                partitions:
                  - name: default
                    queues: [{name: root, properties: {queue.share.policy: usage}, queues: [{name: a}, {name: b}]}]
                nodes: [{name: n, capacity: {vcore: 2}}]
                applications:
                  - {id: x, queue: root.a, tasks: [{id: t, count: 2, resources: {vcore: 2}}]}
                  - {id: y, queue: root.b, tasks: [{id: t, count: 2, resources: {vcore: 2}}]}
                seed: %d
                """;
        List<Long> winners = new ArrayList<>();
        for (int seed = 0; seed < 20; seed++) {
            winners.add(starts(text.formatted(seed), "root.a"));
            assertThat(starts(text.formatted(seed), "root.a"))
                    .as("seed %d", seed)
                    .isEqualTo(winners.get(seed));
        }
        assertThat(winners).contains(0L, 1L).doesNotContain(2L);
    }
}
