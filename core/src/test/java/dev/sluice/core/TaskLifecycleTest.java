package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import dev.sluice.core.testing.TaskRefs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of one task after its placement: retries, timeouts, stops, losses, stale reports. */
@ExtendWith(SchedulerExtension.class)
class TaskLifecycleTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final TaskSpec TASK = TaskSpec.single("t", CORE);

    @Test
    void task_reportedStarted_isRunning(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK).cycle();
        assertThat(only(cluster).state()).isEqualTo(TaskState.STARTING);
        assertThat(only(cluster).placedAt()).isEqualTo(cluster.now());

        cluster.advance(Duration.ofSeconds(2)).start("a/t");

        assertThat(only(cluster).state()).isEqualTo(TaskState.RUNNING);
        assertThat(only(cluster).startedAt()).isEqualTo(cluster.now());
    }

    @Test
    void task_withTwoRetries_failsAfterThreeRuns(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withAttempts(2, null));
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(cluster.cycle()).containsExactly("a/t -> n");
            assertThat(only(cluster).attempt()).isEqualTo(attempt);
            cluster.fail("a/t");
        }
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("a").failed()).isEqualTo(1);
    }

    @Test
    void application_onlyTaskRetried_staysRunning(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withAttempts(1, null)).cycle();

        cluster.fail("a/t");

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void retries_ofGroup_countPerTask(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TaskSpec.of("t", 2, CORE).withAttempts(1, null))
                .cycle();
        cluster.fail("a/t-0").cycle();
        cluster.fail("a/t-1").cycle();
        assertThat(cluster.placed()).hasToString("[a/t-0, a/t-1]");

        cluster.fail("a/t-0").succeed("a/t-1");

        assertThat(cluster.application("a").failed()).isEqualTo(1);
        assertThat(cluster.application("a").succeeded()).isEqualTo(1);
    }

    @Test
    void task_timedOut_staysAllocatedUntilItEnds(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(1, Duration.ofMinutes(10)))
                .cycle();
        cluster.advance(Duration.ofHours(1)).cycle();
        assertThat(only(cluster).state()).as("the timeout starts with the run").isEqualTo(TaskState.STARTING);
        cluster.start("a/t").advance(Duration.ofMinutes(10).minusNanos(1)).cycle();
        assertThat(only(cluster).state()).isEqualTo(TaskState.RUNNING);

        cluster.advance(Duration.ofNanos(1)).cycle();
        assertThat(only(cluster).state()).isEqualTo(TaskState.STOPPING);
        assertThat(only(cluster).stopReason()).isEqualTo(StopReason.TIMEOUT);
        assertThat(cluster.allocated("root")).isEqualTo(Resources.parse("slots", "1", "vcore", "1"));
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.events()).isEmpty();

        cluster.fail("a/t");
        assertThat(ended(cluster).outcome()).isEqualTo(TaskOutcome.TIMED_OUT);
        assertThat(ended(cluster).again()).isTrue();
        assertThat(cluster.cycle()).containsExactly("a/t -> n");
    }

    @Test
    void task_timedOutWithoutRetries_fails(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(0, Duration.ofSeconds(1)))
                .cycle();
        cluster.startAll().advance(Duration.ofSeconds(1)).cycle();

        cluster.fail("a/t");

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("a").failed()).isEqualTo(1);
    }

    @Test
    void task_succeedsWhileStoppingForTimeout_hasSucceeded(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(0, Duration.ofSeconds(1)))
                .cycle();
        cluster.startAll().advance(Duration.ofSeconds(1)).cycle();

        cluster.succeed("a/t");

        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void timeout_beyondMaximumInstant_neverExpires(ClusterUnderTest cluster) {
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        ready(cluster).submitSealed("a", null, TASK.withAttempts(0, forEver)).cycle();

        cluster.startAll();

        assertThat(only(cluster).state()).isEqualTo(TaskState.RUNNING);
    }

    @Test
    void allocatedTask_stoppedByUser_doesNotRetry(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(5, null), TaskSpec.single("u", CORE))
                .cycle();

        cluster.stop("a/t");
        assertThat(cluster.placed().get(0).stopReason()).isEqualTo(StopReason.STOPPED);
        cluster.fail("a/t");

        assertThat(ended(cluster).outcome()).isEqualTo(TaskOutcome.STOPPED);
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.application("a").stopped()).isEqualTo(1);
        cluster.succeed("a/u");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("a").stateReason()).isEqualTo("1 of 2 tasks were stopped");
    }

    @Test
    void timedOutTask_stoppedByUser_doesNotRetry(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(5, Duration.ofSeconds(1)))
                .cycle();
        cluster.startAll().advance(Duration.ofSeconds(1)).cycle();

        cluster.stop("a/t").fail("a/t");

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.application("a").stopped()).isEqualTo(1);
    }

    @Test
    void pendingTask_stopped_isDropped(ClusterUnderTest cluster) {
        ready(cluster).submit("a", null, TASK).stop("a/t");

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.pending("root").isZero()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4})
    void taskOfGroup_stopped_isSkipped(int stopped, ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 5, CORE)).stop("a/t-" + stopped);

        List<String> placed = cluster.cycle();

        assertThat(placed).hasSize(4).doesNotContain("a/t-" + stopped + " -> n");
        TaskGroup group = Objects.requireNonNull(cluster.application("a").group("t"));
        assertThat(group.stopped()).isEqualTo(1);
        assertThat(group.isUnallocated(stopped)).isFalse();
    }

    @Test
    void tasksOfGroup_someStopped_othersRun(ClusterUnderTest cluster) {
        ready(cluster).updateNode("n", "vcore", "2");
        cluster.submitSealed("a", null, TaskSpec.of("t", 6, CORE)).stop("a/t-1").stop("a/t-3");
        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n", "a/t-2 -> n");
        cluster.lose("a/t-0").stop("a/t-0").succeed("a/t-2").stop("a/t-5");

        assertThat(cluster.cycle()).containsExactly("a/t-4 -> n");
        cluster.succeed("a/t-4");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("a").stateReason()).isEqualTo("4 of 6 tasks were stopped");
    }

    @Test
    void task_lostRepeatedly_usesNoRetry(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK);
        for (int attempt = 1; attempt <= 5; attempt++) {
            assertThat(cluster.cycle()).containsExactly("a/t -> n");
            assertThat(only(cluster).attempt()).isEqualTo(attempt);
            cluster.lose("a/t");
        }
        cluster.cycle();
        cluster.succeed("a/t");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void task_lostTooOften_failsWithReason(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(7, null).withLostRetries(2))
                .cycle();
        for (int loss = 1; loss <= 2; loss++) {
            cluster.lose("a/t");
            assertThat(ended(cluster).again()).isTrue();
            assertThat(cluster.cycle()).containsExactly("a/t -> n");
        }

        cluster.lose("a/t");

        assertThat(ended(cluster).outcome()).isEqualTo(TaskOutcome.LOST);
        assertThat(ended(cluster).again()).isFalse();
        assertThat(ended(cluster).detail())
                .isEqualTo("lost 3 times, more than lostretries (2) allows; the task itself may crash its nodes");
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.application("a").failed()).isEqualTo(1);
    }

    @Test
    void task_breakingItsNodes_isBounded(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).nodes("n", 50, "vcore", "1");
        cluster.submitSealed("a", null, TASK);

        while (!cluster.cycle().isEmpty()) {
            cluster.removeNode(only(cluster).node().name());
        }

        assertThat(cluster.partition().nodes()).hasSize(50 - Attempts.LOST_RETRIES_DEFAULT - 1);
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void task_withoutLostRetries_failsOnFirstLoss(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withLostRetries(0)).cycle();

        cluster.lose("a/t");

        assertThat(ended(cluster).detail()).isEqualTo("lost; not retried because lostretries is 0");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void lossesAndFailures_ofTask_countSeparately(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withAttempts(1, null).withLostRetries(1));
        cluster.cycle();
        cluster.lose("a/t").cycle();
        cluster.fail("a/t").cycle();
        TaskGroup group = only(cluster).group();
        assertThat(group.losses(0)).isEqualTo(1);
        assertThat(group.failures(0)).isEqualTo(1);

        cluster.fail("a/t");

        assertThat(ended(cluster).again()).isFalse();
        assertThat(ended(cluster).detail()).isEmpty();
    }

    @Test
    void losses_ofGroup_countPerTask(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 2, CORE).withLostRetries(1));
        cluster.cycle();
        cluster.lose("a/t-0").lose("a/t-1");

        assertThat(cluster.cycle()).hasSize(2);
    }

    @Test
    void preemptedTask_lost_countsNeitherLossNorFailure(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withLostRetries(0)).cycle();
        Event stopping = new TaskEvent.Stopping(only(cluster).allocation(), StopReason.REBALANCE, cluster.now());
        cluster.scheduler().restore(List.of(stopping));
        TaskGroup group = only(cluster).group();

        cluster.lose("a/t");

        assertThat(ended(cluster).again()).isTrue();
        assertThat(group.losses(0) + group.failures(0)).isZero();
    }

    @Test
    void removedNode_tasks_areLostInPlacementOrder(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 4, CORE)).cycle();
        cluster.startAll().node("m", "vcore", "4").succeed("a/t-1");

        cluster.removeNode("n");

        assertThat(cluster.events().stream()
                        .filter(TaskEvent.Ended.class::isInstance)
                        .map(event -> ((TaskEvent.Ended) event).task().index()))
                .containsExactly(0, 2, 3);
        assertThat(cluster.cycle()).containsExactly("a/t-0 -> m", "a/t-2 -> m", "a/t-3 -> m");
        assertThat(cluster.placed().get(0).attempt()).isEqualTo(2);
    }

    @Test
    void removedNode_taskStoppedByUser_doesNotRunAgain(ClusterUnderTest cluster) {
        ready(cluster).node("m", "vcore", "4").submitSealed("a", null, TASK).cycle();

        cluster.stop("a/t").removeNode(only(cluster).node().name());

        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.application("a").stopped()).isEqualTo(1);
    }

    @Test
    void offlineNode_runningTask_finishes(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TaskSpec.of("t", 9, CORE)).cycle();

        cluster.offline("n").succeed("a/t-0");
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.placed()).hasSize(7);

        cluster.reinstate("n");
        assertThat(cluster.cycle()).containsExactly("a/t-8 -> n");
    }

    @Test
    void report_ofPreviousAttempt_isStale(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK.withAttempts(1, null)).cycle();
        cluster.fail("a/t").cycle();

        for (Command report : reports(1)) {
            assertThat(cluster.refusal(report).code()).isEqualTo(Refusal.Code.STALE);
        }
        assertThat(only(cluster).attempt()).isEqualTo(2);
        cluster.handle(new Command.ReportTaskSucceeded(TaskRefs.run("default", "a", "t", 2)));
        for (Command report : reports(2)) {
            assertThat(cluster.refusal(report).code()).isEqualTo(Refusal.Code.STALE);
        }
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void startReport_repeated_isStale(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK).cycle();
        cluster.start("a/t");
        Instant started = cluster.now();
        cluster.advance(Duration.ofSeconds(1));

        Refusal refusal = cluster.refusal(new Command.ReportTaskStarted(TaskRefs.run("default", "a", "t", 1)));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.STALE);
        assertThat(only(cluster).startedAt()).isEqualTo(started);
    }

    @Test
    void task_notStartedByNode_isPendingWithRetriesIntact(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, TASK.withAttempts(0, null).withLostRetries(0))
                .cycle();

        for (int attempt = 1; attempt <= 5; attempt++) {
            cluster.suspend("n").handle(new Command.ReportTaskNotStarted(TaskRefs.run("default", "a", "t", attempt)));

            assertThat(ended(cluster).again()).isTrue();
            assertThat(ended(cluster).detail()).isEqualTo("the node could not start the task");
            assertThat(cluster.cycle()).isEmpty();
            assertThat(cluster.allocated("root").isZero()).isTrue();
            assertThat(cluster.nodeReady("n").cycle()).containsExactly("a/t -> n");
        }
    }

    @Test
    void stoppingTask_notStartedByNode_hasEnded(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, TASK).cycle();
        cluster.stop("a/t").handle(new Command.ReportTaskNotStarted(TaskRefs.run("default", "a", "t", 1)));

        assertThat(ended(cluster).again()).isFalse();
    }

    private static List<Command> reports(int attempt) {
        List<Function<Integer, Command>> kinds = List.of(
                number -> new Command.ReportTaskStarted(TaskRefs.run("default", "a", "t", number)),
                number -> new Command.ReportTaskSucceeded(TaskRefs.run("default", "a", "t", number)),
                number -> new Command.ReportTaskFailed(TaskRefs.run("default", "a", "t", number), 1, ""),
                number -> new Command.ReportTaskLost(TaskRefs.run("default", "a", "t", number)),
                number -> new Command.ReportTaskNotStarted(TaskRefs.run("default", "a", "t", number)));
        return kinds.stream().map(kind -> kind.apply(attempt)).toList();
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "8");
    }

    private static Task only(ClusterUnderTest cluster) {
        assertThat(cluster.placed()).hasSize(1);
        return cluster.placed().get(0);
    }

    private static TaskEvent.Ended ended(ClusterUnderTest cluster) {
        for (Event event : cluster.events()) {
            if (event instanceof TaskEvent.Ended ended) {
                return ended;
            }
        }
        throw new AssertionError("no task ended");
    }
}
