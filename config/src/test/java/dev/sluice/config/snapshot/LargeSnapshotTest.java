package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Large files: a reader with quadratic cost would not finish. */
@Tag("slow")
class LargeSnapshotTest {

    private static ParseResult<Snapshot> read(String text) {
        return SnapshotReader.read("s.yaml", text);
    }

    private static StringBuilder nodes() {
        StringBuilder text = new StringBuilder("at: 2026-01-01T12:00:00Z\nnodes:\n");
        for (int i = 0; i < 5_000; i++) {
            text.append("  - {name: node-").append(i).append(", capacity: {vcore: 64, memory: 256Gi, slots: 110}}\n");
        }
        return text.append("applications:\n");
    }

    @Test
    void snapshot_ofManyNamedTasks_isRead() {
        StringBuilder text = nodes();
        for (int a = 0; a < 1_000; a++) {
            text.append("  - id: a").append(a).append("\n    queue: root.default\n    tasks:\n");
            for (int t = 0; t < 100; t++) {
                text.append("      - {id: task-")
                        .append(t)
                        .append(", resources: {vcore: 500m, memory: 1Gi}, state: ")
                        .append(t % 2 == 0 ? "running, node: node-" + (a * 5 + t % 5) : "pending")
                        .append("}\n");
            }
        }
        ParseResult<Snapshot> reading = read(text.toString());
        assertThat(reading.report()).isEmpty();
        assertThat(reading.value().applications()).hasSize(1_000);
        assertThat(RunningTaskPlacement.of(reading.value())).hasSize(50_000);
    }

    @Test
    void snapshot_withManyErrors_reportsFirst() {
        StringBuilder text = nodes().append("  - id: a\n    queue: root.default\n    tasks:\n");
        for (int t = 0; t < 100_000; t++) {
            text.append("      - {id: task-")
                    .append(t)
                    .append(", state: running, node: node-x")
                    .append(t)
                    .append(", after: {task_")
                    .append(t)
                    .append(": succeeded}}\n");
        }
        ParseResult<Snapshot> reading = read(text.toString());
        assertThat(reading.problems()).hasSize(100);
        assertThat(reading.problemsLeftOut()).isEqualTo(199_900);
        assertThat(reading.report()).endsWith("\nand 199900 more");
        assertThat(reading.problems().get(0))
                .hasToString(
                        "s.yaml:5007:44: unknown node \"node-x0\" in partition default:" + " did you mean \"node-0\"?");
    }

    @Test
    void snapshot_ofManyRunningTasksWithoutNode_isRead() {
        String text =
                "at: 2026-01-01T12:00:00Z\nnodes: [{name: w, count: 100000, capacity: {slots: 2, vcore: 4}}]\napplications:\n"
                        + "  - {id: a, queue: root.default, tasks: [{id: r, count: 150000, state: running},"
                        + " {id: s, count: 50000, state: running, resources: {vcore: 1}}]}\n";
        ParseResult<Snapshot> reading = read(text);
        assertThat(reading.report()).isEmpty();
        assertThat(RunningTaskPlacement.of(reading.value()))
                .hasSize(200_000)
                .last()
                .extracting(RunningTaskPlacement.AllocatedTask::node)
                .isEqualTo("w-99999");
    }

    @Test
    void tasks_inLongDependencyChain_areRead() {
        StringBuilder text =
                new StringBuilder("at: 2026-01-01T12:00:00Z\napplications: [{id: a, queue: root.default, tasks: [\n");
        for (int t = 0; t < 50_000; t++) {
            text.append("{id: t")
                    .append(t)
                    .append(", after: {t")
                    .append((t + 1) % 50_000)
                    .append(": started}},\n");
        }
        ParseResult<Snapshot> reading = read(text.append("]}]").toString());
        assertThat(reading.report())
                .startsWith("s.yaml:3:17: cyclic task dependencies: t0 after t1" + " after t2")
                .endsWith("t11 after … (49988 more) after t0");
    }
}
