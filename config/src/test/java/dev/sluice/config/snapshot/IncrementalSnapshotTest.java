package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.reference.RandomCluster;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots that are copied in steps and written in parts. */
final class IncrementalSnapshotTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    /** Starts at every third instant of a cluster's history, with one step between any two later instants. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    @Tag("slow")
    void snapshot_copiedInStepsBetweenEvents_equalsSnapshotAtEnd(long seed) {
        RandomCluster cluster = new RandomCluster(seed, seed % 2 == 0, RandomCluster.FEW_NODES);
        cluster.run(30);
        List<List<Event>> instants = instants(cluster.journal());
        int compared = 0;
        for (int begin = 0; begin < instants.size(); begin += 3) {
            compared += compare(seed, instants, begin) ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(instants.size() / 10);
    }

    private static List<List<Event>> instants(List<Event> journal) {
        List<List<Event>> instants = new ArrayList<>();
        for (Event event : journal) {
            List<Event> last = instants.isEmpty() ? List.of() : instants.get(instants.size() - 1);
            if (last.isEmpty() || !last.get(0).at().equals(event.at())) {
                instants.add(new ArrayList<>());
            }
            instants.get(instants.size() - 1).add(event);
        }
        return instants;
    }

    /** Returns whether any event occurred between the steps. */
    private static boolean compare(long seed, List<List<Event>> instants, int begin) {
        Scheduler scheduler = new Scheduler();
        instants.subList(0, begin).forEach(scheduler::restore);
        SchedulerState state = scheduler.state();
        SnapshotBuilder builder = new SnapshotBuilder(state);
        int next = begin;
        while (!builder.step(new StepBudget(StepBudget.MIN)) && next < instants.size()) {
            restore(scheduler, builder, instants.get(next++));
        }
        if (next == instants.size()) {
            assertThat(builder.step(StepBudget.unlimited())).isTrue();
        }
        Instant at = next == 0 ? Instant.EPOCH : instants.get(next - 1).get(0).at();
        SnapshotBuilder.CapturedState taken = builder.finish(at);
        Snapshot expected = SnapshotBuilder.capture(state, at);
        instants.subList(next, instants.size()).forEach(scheduler::restore);
        assertThat(taken.snapshot())
                .as("seed %d, instants %d to %d", seed, begin, next)
                .isEqualTo(expected);
        return next > begin + 1;
    }

    private static void restore(Scheduler scheduler, SnapshotBuilder builder, List<Event> events) {
        scheduler.restore(events);
        events.forEach(builder::onEvent);
    }

    private static ClusterUnderTest cluster() {
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        cluster.configure(PartitionConfiguration.simplest());
        return cluster;
    }

    /** Returns the number of steps with a budget of {@code unitsMax}. */
    private static int steps(SnapshotBuilder builder, int unitsMax) {
        for (int pieces = 1; ; pieces++) {
            StepBudget budget = new StepBudget(unitsMax);
            boolean done = builder.step(budget);
            assertThat(budget.taken()).isLessThanOrEqualTo(unitsMax);
            if (done) {
                return pieces;
            }
        }
    }

    /** Large collections are spread over many steps, the last of which does no more work than the others. */
    @Test
    void steps_ofLargeState_areBounded() {
        ClusterUnderTest cluster = cluster();
        for (int i = 0; i < 100; i++) {
            cluster.node("n" + i, "vcore", "4");
        }
        for (int i = 0; i < 100; i++) {
            cluster.submit("a" + i, "root.default", TaskSpec.single("t", CORE));
        }
        TaskSpec[] groups = new TaskSpec[100];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = TaskSpec.single("t" + i, CORE);
        }
        cluster.submit("groups", "root.default", groups);
        cluster.submit("tasks", "root.default", TaskSpec.of("t", 100, CORE));
        cluster.cycle();
        SnapshotBuilder builder = new SnapshotBuilder(cluster.scheduler().state());
        // nodes, applications, groups of tasks, allocated tasks, queues
        int units = 100 + 102 + 201 + 300 + 2;
        assertThat(steps(builder, 10)).isBetween(units / 10, units / 10 + 2);
        assertThat(builder.finish(cluster.now()).snapshot())
                .isEqualTo(SnapshotBuilder.capture(cluster.scheduler().state(), cluster.now()));
    }

    /**
     * Changes are not copied again: an application that changes between any two steps does not keep the copy from
     * finishing.
     */
    @Test
    void copy_whileApplicationKeepsChanging_endsWithLastState() {
        ClusterUnderTest cluster = cluster();
        cluster.node("n", "vcore", "1000");
        cluster.submit("a", "root.default", TaskSpec.of("t", 200, CORE));
        List<String> placed = cluster.cycle();
        assertThat(placed).hasSize(200);
        SnapshotBuilder builder = new SnapshotBuilder(cluster.scheduler().state());
        int pieces = 0;
        while (!builder.step(new StepBudget(8))) {
            assertThat(++pieces).isLessThan(100);
            cluster.start("a/t-" + pieces).events().forEach(builder::onEvent);
            cluster.succeed("a/t-" + pieces).events().forEach(builder::onEvent);
        }
        assertThat(pieces).isGreaterThan(10);
        assertThat(builder.finish(cluster.now()).snapshot())
                .isEqualTo(SnapshotBuilder.capture(cluster.scheduler().state(), cluster.now()));
    }

    /**
     * Queues have no events of their own, so their copies are consistent only if no event occurs while they are copied.
     */
    @Test
    void queues_copiedDuringEvents_areCopiedAgain() {
        StringBuilder tree = new StringBuilder("root   usage\n");
        for (int i = 0; i < 30; i++) {
            tree.append(i < 29 ? "├─ q" : "└─ q").append(i).append('\n');
        }
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler())
                .queues(QueueTreeText.of(tree.toString()))
                .node("n", "vcore", "8");
        cluster.submit("a", "root.q29", TaskSpec.of("t", 100, CORE));
        SnapshotBuilder builder = new SnapshotBuilder(cluster.scheduler().state());
        for (int i = 0; i < 11; i++) {
            assertThat(builder.step(new StepBudget(10))).isFalse();
            cluster.advance(Duration.ofMinutes(10));
            List<String> placed = cluster.cycle();
            assertThat(placed).isNotEmpty();
            cluster.events().forEach(builder::onEvent);
            for (Task task : cluster.placed()) {
                cluster.start(task.toString()).events().forEach(builder::onEvent);
                cluster.succeed(task.toString()).events().forEach(builder::onEvent);
            }
        }
        cluster.advance(Duration.ofMinutes(10));
        assertThat(steps(builder, 10)).isEqualTo(4);
        assertThat(builder.finish(cluster.now()).snapshot())
                .isEqualTo(SnapshotBuilder.capture(cluster.scheduler().state(), cluster.now()));
    }

    @Test
    void text_ofLargeSnapshot_isWrittenInParts() throws IOException {
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        cluster.configure(PartitionConfiguration.simplest());
        TaskSpec[] tasks = new TaskSpec[2_000];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = TaskSpec.single("task-" + i, CORE).withExpectedDuration(Duration.ofSeconds(i));
        }
        cluster.submit("a", "root.default", tasks);
        cluster.submit("b", "root.default", tasks);
        Snapshot snapshot = SnapshotBuilder.capture(cluster.scheduler().state(), cluster.now());
        RecordingAppendable json = new RecordingAppendable();
        SnapshotWriter.writeJson(snapshot, json);
        assertThat(json.text).hasToString(SnapshotWriter.json(snapshot));
        RecordingAppendable yaml = new RecordingAppendable();
        SnapshotWriter.writeYaml(snapshot, yaml);
        assertThat(yaml.text).hasToString(SnapshotWriter.yaml(snapshot));
        assertThat(json.text.length()).isGreaterThan(200_000);
        assertThat(List.of(json.largest, yaml.largest)).allMatch(size -> size < 10_000);
    }

    private static final class RecordingAppendable implements Appendable {

        private final StringBuilder text = new StringBuilder();
        private int largest;

        @Override
        public Appendable append(CharSequence part) {
            return append(part, 0, part.length());
        }

        @Override
        public Appendable append(CharSequence part, int from, int to) {
            largest = Math.max(largest, to - from);
            text.append(part, from, to);
            return this;
        }

        @Override
        public Appendable append(char c) {
            throw new AssertionError("one character at a time");
        }
    }
}
