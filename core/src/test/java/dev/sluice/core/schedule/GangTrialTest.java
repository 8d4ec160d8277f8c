package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to place gangs: they leave no trace, and what cannot fit is not tried again. */
@ExtendWith(SchedulerExtension.class)
class GangTrialTest {

    private static final Resources CORES = Resources.parse("vcore", "1");
    private static final Resources CORE = Resources.parse("vcore", "1", "memory", "1Gi");

    /** Nodes with 4, 3, 2 and 1 free cores, and a gang of workers with one core and a larger task. */
    private static PartitionSchedule schedule(ClusterUnderTest cluster, int workers, String large) {
        cluster.configure(PartitionConfiguration.simplest());
        for (int used = 0; used < 4; used++) {
            cluster.node("n" + used, "vcore", "4", "memory", "9Gi");
            if (used > 0) {
                TaskSpec task = TaskSpec.of("t", used, CORE);
                cluster.submitSealed("used" + used, null, withNode(task, "n" + used))
                        .cycle();
            }
        }
        cluster.submit(ApplicationSpec.sealed(
                        "gang",
                        null,
                        TaskSpec.of("w", workers, CORE),
                        TaskSpec.of("x", 1, Resources.parse("vcore", large, "memory", "1Gi"))
                                .withPriority(-1))
                .withGang(Gang.of(Map.of("w", workers, "x", 1))));
        PartitionSchedule schedule = new PartitionSchedule(cluster.partition());
        schedule.beginCycle();
        return schedule;
    }

    private static TaskSpec withNode(TaskSpec task, String node) {
        return task.withConstraints(Map.of(), node);
    }

    private static GangTrial trial(PartitionSchedule schedule) {
        Candidate candidate = Objects.requireNonNull(schedule.next());
        GangProgress gang = Objects.requireNonNull(candidate.application().gang());
        return schedule.gangTrial(candidate, gang);
    }

    /** Returns the nodes in their order, found by taking one after the other. */
    private static List<String> order(PartitionSchedule schedule, ClusterUnderTest cluster) {
        List<Node> nodes = new ArrayList<>(cluster.partition().nodes());
        nodes.sort(schedule.capacityIndex()::compare);
        return nodes.stream().map(Node::name).toList();
    }

    @Test
    void failedTrial_leavesFreeCapacityAndOrderAsBefore(ClusterUnderTest cluster) {
        PartitionSchedule schedule = schedule(cluster, 3, "4");
        GangTrial trial = trial(schedule);
        long[] free = schedule.free();
        EquivalenceClass large = trial.application.classOf(
                Objects.requireNonNull(cluster.application("gang").group("x")));
        Node first = schedule.capacityIndex().first(large);

        assertThat(schedule.place(trial))
                .as("two workers are on the only node for x")
                .isNull();

        assertThat(schedule.free()).isEqualTo(free);
        assertThat(order(schedule, cluster)).containsExactly("n0", "n1", "n2", "n3");
        assertThat(schedule.capacityIndex().first(large)).isEqualTo(first);
    }

    @Test
    void successfulTrial_leavesFreeCapacityAsBefore(ClusterUnderTest cluster) {
        PartitionSchedule schedule = schedule(cluster, 3, "2");
        GangTrial trial = trial(schedule);
        long[] free = schedule.free();

        assertThat(schedule.place(trial))
                .extracting(member -> member.group().name() + " -> " + member.node())
                .containsExactly("w -> n0", "w -> n0", "w -> n1", "x -> n0");
        assertThat(schedule.free()).isEqualTo(free);
    }

    @Test
    void gangThatDidNotFit_isNotTriedAgainUntilItMayFit(ClusterUnderTest cluster) {
        PartitionSchedule schedule = schedule(cluster, 3, "4");
        skip(schedule);
        assertThat(schedule.next()).as("in the same cycle").isNull();

        schedule.beginCycle();
        assertThat(schedule.next()).as("in an idle cycle").isNull();

        cluster.succeed("used3/t-0");
        schedule.beginCycle();
        assertThat(schedule.next()).as("after one more core").isNotNull();
    }

    @Test
    void gangThatLacksMoreThanHasGrown_isNotTriedAgain(ClusterUnderTest cluster) {
        PartitionSchedule schedule = schedule(cluster, 13, "2");
        skip(schedule);

        cluster.succeed("used3/t-0");
        schedule.beginCycle();
        assertThat(schedule.next()).as("13 and 2 cores needed, 11 free").isNull();

        for (String task : List.of("used3/t-1", "used3/t-2", "used2/t-0", "used2/t-1")) {
            cluster.succeed(task);
        }
        schedule.beginCycle();
        assertThat(schedule.next()).as("15 cores free").isNotNull();
    }

    /**
     * Workers that are apart by node: three of twelve fit, and a node with four more cores does not suffice. A task
     * that excludes them, or that they exclude, is on the last node.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void gangApartByNode_thatLacksMoreThanHasGrown_isTriedAgainIfPermittedOnMoreNodes(
            boolean excludes, ClusterUnderTest cluster) {
        Map<String, String> app = Map.of("app", "g");
        TaskTerm itself = new TaskTerm(LabelSelector.of(app, List.of()), Topology.HOST);
        TaskConstraints excluding = TaskConstraints.NONE.withAntiAffinity(new TaskAffinity(List.of(itself), List.of()));
        cluster.configure(PartitionConfiguration.simplest()).nodes("n", 4, "vcore", "4");
        cluster.submit("other", null, TaskSpec.single("t", CORES)).cycle();
        cluster.submit(
                        "apart",
                        null,
                        TaskSpec.single("t", CORES)
                                .withConstraints(tasks(excludes ? excluding : TaskConstraints.NONE.withLabels(app))))
                .cycle();
        TaskSpec workers = TaskSpec.of("w", 12, CORES).withConstraints(tasks(excluding.withLabels(app)));
        cluster.submit(ApplicationSpec.sealed("gang", null, workers).withGang(Gang.of(Map.of("w", 12))));
        PartitionSchedule schedule = new PartitionSchedule(cluster.partition());
        schedule.beginCycle();
        skip(schedule);

        cluster.succeed("other/t");
        schedule.beginCycle();
        assertThat(schedule.next()).as("three and at most four more").isNull();

        cluster.succeed("apart/t");
        schedule.beginCycle();
        assertThat(schedule.next()).as("one more node permitted").isNotNull();
    }

    private static Constraints tasks(TaskConstraints tasks) {
        return Constraints.NONE.withTasks(tasks);
    }

    private static void skip(PartitionSchedule schedule) {
        Candidate candidate = Objects.requireNonNull(schedule.next());
        GangProgress gang = Objects.requireNonNull(candidate.application().gang());
        GangTrial trial = schedule.gangTrial(candidate, gang);
        assertThat(schedule.place(trial)).isNull();
        schedule.skipGang(candidate, trial, gang);
    }
}
