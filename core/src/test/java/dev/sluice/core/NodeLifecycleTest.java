package dev.sluice.core;

import static dev.sluice.core.state.NodeHealth.FLAKY;
import static dev.sluice.core.state.NodeHealth.LOST;
import static dev.sluice.core.state.NodeHealth.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import dev.sluice.core.testing.TaskRefs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Offline, suspended, lost and flaky nodes, and the effect on their tasks. */
@ExtendWith(SchedulerExtension.class)
class NodeLifecycleTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final TaskSpec TASK = TaskSpec.single("t", CORE);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final Duration MOMENT = Duration.ofMillis(100);

    // ---- transition table

    @ParameterizedTest
    @CsvSource({
        "READY, READY, READY",
        "READY, SUSPENDED, SUSPENDED",
        "READY, FLAKY, FLAKY",
        "READY, LOST, LOST",
        "SUSPENDED, READY, READY",
        "SUSPENDED, SUSPENDED, SUSPENDED",
        "SUSPENDED, FLAKY, SUSPENDED",
        "SUSPENDED, LOST, LOST",
        "FLAKY, READY, FLAKY",
        "FLAKY, SUSPENDED, SUSPENDED",
        "FLAKY, FLAKY, FLAKY",
        "FLAKY, LOST, LOST",
        "LOST, READY, READY",
        "LOST, SUSPENDED, LOST",
        "LOST, FLAKY, LOST",
        "LOST, LOST, LOST",
    })
    void nodeHealth_onEveryReport_followsTable(NodeHealth from, NodeHealth report, NodeHealth to) {
        for (boolean offline : new boolean[] {false, true}) {
            CheckedScheduler scheduler = new CheckedScheduler();
            ClusterUnderTest cluster = ready(new ClusterUnderTest(scheduler));
            if (offline) {
                cluster.offline("n");
            }
            report(cluster, from).advance(MOMENT);

            report(cluster, report);

            assertThat(cluster.node("n").health()).isEqualTo(to);
            assertThat(cluster.node("n").isOffline()).isEqualTo(offline);
            assertThat(from.after(report)).isEqualTo(to);
            // repeating the report at the same time changes nothing
            report(cluster, report);
            assertThat(cluster.events()).isEmpty();
            scheduler.check();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeHealth.class,
            names = {"SUSPENDED", "LOST"})
    void flakyNode_lostOrSuspended_isFlakyForRemainingTime(NodeHealth health, ClusterUnderTest cluster) {
        ready(cluster).flaky("n").advance(QUARTER.minus(MOMENT.multipliedBy(2)));
        report(cluster, health).advance(MOMENT);

        cluster.nodeReady("n");

        assertThat(cluster.node("n").state()).isEqualTo(NodeState.FLAKY);
        cluster.advance(MOMENT).cycle();
        assertThat(cluster.node("n").state()).isEqualTo(NodeState.READY);
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeHealth.class,
            names = {"SUSPENDED", "LOST"})
    void lostOrSuspendedNode_flaky_isFlakyWhenReady(NodeHealth health, ClusterUnderTest cluster) {
        ready(cluster);
        report(cluster, health).flaky("n");
        assertThat(cluster.node("n").health()).isEqualTo(health);

        cluster.advance(MOMENT).nodeReady("n");

        assertThat(cluster.node("n").state()).isEqualTo(NodeState.FLAKY);
        assertThat(due(cluster)).isEqualTo(ClusterUnderTest.BEGIN.plus(QUARTER));
    }

    @Test
    void suspendedNode_flakyTimeEnds_isReadyWhenReported(ClusterUnderTest cluster) {
        ready(cluster).flaky("n").suspend("n").advance(QUARTER).cycle();
        assertThat(cluster.node("n").state()).isEqualTo(NodeState.SUSPENDED);
        assertThat(due(cluster)).isNull();

        cluster.nodeReady("n");

        assertThat(cluster.node("n").state()).isEqualTo(NodeState.READY);
    }

    @Test
    void event_contradictingState_isRefused(CheckedScheduler scheduler) {
        ready(new ClusterUnderTest(scheduler));
        Instant at = ClusterUnderTest.BEGIN;
        assertThatThrownBy(() -> new NodeEvent.HealthChanged("default", "n", READY, FLAKY, null, at))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NodeEvent.HealthChanged("default", "n", LOST, READY, at, at))
                .isInstanceOf(IllegalArgumentException.class);
        NodeEvent.HealthChanged fromLost = new NodeEvent.HealthChanged("default", "n", LOST, READY, null, at);
        assertThatThrownBy(() -> scheduler.state().apply(fromLost)).isInstanceOf(IllegalStateException.class);
    }

    // ---- offline and reinstated

    @Test
    void offlineNode_lostThenReady_isOffline(ClusterUnderTest cluster) {
        ready(cluster).offline("n").lost("n");
        assertThat(cluster.node("n").state()).isEqualTo(NodeState.LOST);

        cluster.nodeReady("n").submit("a", null, TASK);

        assertThat(cluster.node("n").state()).isEqualTo(NodeState.OFFLINE);
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.reinstate("n").cycle()).containsExactly("a/t -> n");
    }

    @Test
    void offlineNode_removedAsLost_isReadyWhenRegisteredAgain(ClusterUnderTest cluster) {
        ready(cluster).offline("n").lost("n").advance(MINUTE).cycle();
        assertThat(cluster.partition().node("n")).isNull();

        cluster.node("n", "vcore", "4");

        assertThat(cluster.node("n").state()).isEqualTo(NodeState.READY);
        assertThat(due(cluster)).isNull();
    }

    @Test
    void lostNode_takenOffline_isOfflineWhenReady(ClusterUnderTest cluster) {
        ready(cluster).lost("n").offline("n").nodeReady("n");

        assertThat(cluster.node("n").state()).isEqualTo(NodeState.OFFLINE);
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeHealth.class,
            names = {"SUSPENDED", "LOST", "FLAKY"})
    void node_reinstatedWhileNotReady_takesNoTasks(NodeHealth health, ClusterUnderTest cluster) {
        ready(cluster).offline("n").submit("a", null, TASK);
        report(cluster, health).reinstate("n");

        assertThat(cluster.node("n").state().wireName()).isEqualTo(health.wireName());
        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void flakyNode_takenOffline_staysOfflineAfterTimeout(ClusterUnderTest cluster) {
        ready(cluster).flaky("n").offline("n").submit("a", null, TASK).advance(QUARTER);

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.node("n").state()).isEqualTo(NodeState.OFFLINE);
        assertThat(cluster.reinstate("n").cycle()).containsExactly("a/t -> n");
    }

    @Test
    void node_takenOfflineOrReinstatedTwice_changesNothing(ClusterUnderTest cluster) {
        ready(cluster).offline("n").offline("n");
        assertThat(cluster.events()).isEmpty();

        cluster.reinstate("n").reinstate("n");
        assertThat(cluster.events()).isEmpty();
    }

    // ---- suspended

    @Test
    void suspendedNode_untilReady_takesNoTasks(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 9, CORE)).cycle();
        cluster.suspend("n").succeed("a/t-0").advance(Duration.ofDays(1));
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.placed()).hasSize(3);
        assertThat(due(cluster)).isNull();

        assertThat(cluster.nodeReady("n").cycle()).containsExactly("a/t-4 -> n");
    }

    // ---- lost

    @Test
    void lostNode_atOnce_takesNoTasks(ClusterUnderTest cluster) {
        ready(cluster).lost("n").submit("a", null, TASK);

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.partition().workers()).isZero();
        assertThat(due(cluster)).isEqualTo(cluster.now().plus(MINUTE));
    }

    @Test
    void lostNode_readyInTime_keepsItsTasks(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 5, CORE)).cycle();
        cluster.startAll().lost("n").advance(MINUTE.minus(MOMENT));
        assertThat(cluster.cycle()).isEmpty();

        cluster.nodeReady("n").advance(MINUTE);

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.placed()).hasSize(4).allMatch(task -> task.attempt() == 1);
        assertThat(due(cluster)).isNull();
        assertThat(cluster.succeed("a/t-0").cycle()).containsExactly("a/t-4 -> n");
    }

    @Test
    void lostNode_timedOut_isRemovedAndTasksRunElsewhere(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withAttempts(1, null)).cycle();
        cluster.startAll().node("m", "vcore", "1").lost("n").advance(MINUTE);

        assertThat(cluster.cycle()).containsExactly("a/t -> m");

        assertThat(cluster.partition().node("n")).isNull();
        TaskEvent.Ended ended = (TaskEvent.Ended) cluster.events().get(0);
        assertThat(ended.outcome()).isEqualTo(TaskOutcome.LOST);
        assertThat(ended.detail()).isEqualTo("node n was lost for 60 seconds");
        assertThat(cluster.fail("a/t").cycle()).containsExactly("a/t -> m");
        assertThat(cluster.fail("a/t").cycle()).isEmpty();
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void lostNode_reportedAgain_keepsItsTimeout(ClusterUnderTest cluster) {
        ready(cluster).lost("n").advance(MINUTE.minus(MOMENT)).lost("n").flaky("n");
        cluster.advance(MOMENT).cycle();

        assertThat(cluster.partition().node("n")).isNull();
    }

    @Test
    void tasks_onLostNode_endNormally(ClusterUnderTest cluster) {
        ready(cluster).node("m", "vcore", "4").lost("m").submitSealed("a", null, TaskSpec.of("t", 3, CORE));
        cluster.cycle();
        cluster.start("a/t-1").start("a/t-2").stop("a/t-2").lost("n").nodeReady("m");
        assertThat(cluster.placed())
                .extracting(Task::state)
                .containsExactly(TaskState.STARTING, TaskState.RUNNING, TaskState.STOPPING);

        cluster.advance(MINUTE);

        assertThat(cluster.cycle()).containsExactly("a/t-0 -> m", "a/t-1 -> m");
        assertThat(cluster.application("a").stopped()).isEqualTo(1);
    }

    @Test
    void taskReports_fromLostNode_areAccepted(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 3, CORE)).cycle();
        cluster.lost("n").start("a/t-0").succeed("a/t-0").fail("a/t-1");

        assertThat(cluster.application("a").succeeded()).isEqualTo(1);
        assertThat(cluster.application("a").failed()).isEqualTo(1);
        assertThat(cluster.placed()).hasSize(1);
    }

    @Test
    void taskReport_fromRemovedNode_isStale(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK).cycle();
        cluster.lost("n").advance(MINUTE).cycle();

        assertThat(cluster.refusal(new Command.ReportTaskSucceeded(TaskRefs.run("default", "a", "t", 1)))
                        .code())
                .isEqualTo(Refusal.Code.STALE);
    }

    @Test
    void nodes_lostTogether_areRemovedByIndex(ClusterUnderTest cluster) {
        ready(cluster).node("b", "vcore", "4").submitSealed("a", null, TaskSpec.of("t", 8, CORE));
        cluster.cycle();

        cluster.lost("b").lost("n").advance(MINUTE).cycle();

        assertThat(removed(cluster)).containsExactly("n", "b");
        assertThat(cluster.partition().nodes()).isEmpty();
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.application("a").pending()).isEqualTo(8);
    }

    @Test
    void lostNode_timeoutBeforeTaskTimeout_isRemovedFirst(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withAttempts(0, MINUTE)).cycle();
        cluster.startAll().lost("n").advance(MINUTE).cycle();

        assertThat(cluster.application("a").pending()).isEqualTo(1);
        assertThat(cluster.events()).noneMatch(TaskEvent.Stopping.class::isInstance);
    }

    @Test
    void task_timeoutBeforeLostNodeTimeout_isStoppedFirst(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(0, MINUTE.minus(MOMENT)))
                .cycle();
        cluster.startAll().lost("n").advance(MINUTE).cycle();

        assertThat(cluster.application("a").failed()).isEqualTo(1);
        assertThat(cluster.events()).anyMatch(TaskEvent.Stopping.class::isInstance);
    }

    @Test
    void lostNode_removed_leavesNoTimers(ClusterUnderTest cluster) {
        ready(cluster).lost("n").removeNode("n");

        assertThat(due(cluster)).isNull();
        cluster.advance(MINUTE).cycle();
        assertThat(cluster.events()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "fair", "stateaware", "fewestrunning"})
    void allNodes_lost_countAsNoCapacity(String sort, ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a      %s guaranteed(vcore 1)
                └─ b      %s
                """.formatted(sort, sort))).nodes("n", 2, "vcore", "2", "slots", "2");
        cluster.submit("x", "root.a", TaskSpec.of("t", 3, CORE)).submit("y", "root.b", TaskSpec.of("t", 3, CORE));
        assertThat(cluster.cycle()).hasSize(4);

        cluster.lost("n-0").lost("n-1");

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.partition().workers()).isZero();
        assertThat(cluster.partition().countsSlots()).isFalse();
        assertThat(cluster.partition().total()).containsOnly(0);
        cluster.advance(MINUTE);
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.node("m", "vcore", "6", "slots", "6").cycle()).hasSize(6);
    }

    // ---- flaky

    @Test
    void flakyNode_untilTimeout_takesNoTasks(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 5, CORE)).cycle();
        cluster.flaky("n").succeed("a/t-0").nodeReady("n").advance(QUARTER.minus(MOMENT));
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.placed()).hasSize(3);
        assertThat(due(cluster)).isEqualTo(cluster.now().plus(MOMENT));

        assertThat(cluster.advance(MOMENT).cycle()).containsExactly("a/t-4 -> n");
        assertThat(due(cluster)).isNull();
    }

    @Test
    void flakyNode_reportedAgain_restartsTimeout(ClusterUnderTest cluster) {
        ready(cluster).submit("a", null, TASK).flaky("n").advance(MINUTE).flaky("n");
        cluster.advance(QUARTER.minus(MOMENT));
        assertThat(cluster.cycle()).isEmpty();

        assertThat(cluster.advance(MOMENT).cycle()).containsExactly("a/t -> n");
    }

    @Test
    void flakyNode_partitionReconfigured_staysFlaky(ClusterUnderTest cluster) {
        ready(cluster).flaky("n").advance(MINUTE);
        cluster.configure(PartitionConfiguration.of(
                PartitionConfiguration.DEFAULT_NAME,
                QueueConfiguration.parent("root", QueueConfiguration.leaf("other"))));
        cluster.updateNode("n", "vcore", "2").submit("a", "root.other", TASK);

        assertThat(cluster.cycle()).isEmpty();
        assertThat(due(cluster)).isEqualTo(ClusterUnderTest.BEGIN.plus(QUARTER));
        assertThat(cluster.advance(QUARTER).cycle()).containsExactly("a/t -> n");
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "4");
    }

    private static ClusterUnderTest report(ClusterUnderTest cluster, NodeHealth health) {
        return switch (health) {
            case READY -> cluster.nodeReady("n");
            case SUSPENDED -> cluster.suspend("n");
            case FLAKY -> cluster.flaky("n");
            case LOST -> cluster.lost("n");
        };
    }

    private static @Nullable Instant due(ClusterUnderTest cluster) {
        return cluster.scheduler().scheduler().nextDue(cluster.partition().name());
    }

    private static List<String> removed(ClusterUnderTest cluster) {
        return cluster.events().stream()
                .filter(NodeEvent.Removed.class::isInstance)
                .map(event -> ((NodeEvent) event).node())
                .toList();
    }
}
