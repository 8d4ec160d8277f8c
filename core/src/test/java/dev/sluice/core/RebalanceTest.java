package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rebalancing: when long loans are reclaimed, which tasks are preempted, and what happens to them. */
@ExtendWith(SchedulerExtension.class)
class RebalanceTest {

    private static final Duration MINIMUM = Duration.ofMinutes(4);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private static QueueConfiguration queue(String name, int percent, int threshold, QueueConfiguration... children) {
        QueueProperties properties = QueueProperties.DEFAULTS
                .withApplicationSortPolicy(ApplicationSortPolicy.FEWEST_RUNNING)
                .withSharePolicy(children.length == 0 ? SharePolicyKind.FAIR : SharePolicyKind.LOAD)
                .withLoad(new LoadProperties(percent, threshold, MINIMUM));
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, List.of(children));
    }

    private static QueueConfiguration classOf(String name, int percent) {
        return queue(name, percent, 0);
    }

    private static TaskSpec tasks(String name, int count) {
        return TaskSpec.of(name, count, Resources.NONE);
    }

    // root (load, threshold 50)
    //  ├─ land 60 %
    //  └─ diff 40 %
    private static ClusterUnderTest loadCluster(ClusterUnderTest cluster) {
        return cluster.queues(queue("root", 0, 50, classOf("land", 60), classOf("diff", 40)));
    }

    /** Ten workers, all loaned to diff, with tasks of land waiting. */
    private static void loanAllToDiff(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .nodes("w", 10, "slots", "1")
                .submit("d", "root.diff", tasks("t", 10))
                .cycle();
        cluster.startAll().submit("l", "root.land", tasks("t", 8)).cycle();
    }

    private static List<String> preempted(ClusterUnderTest cluster) {
        return cluster.events().stream()
                .filter(TaskEvent.Stopping.class::isInstance)
                .map(TaskEvent.Stopping.class::cast)
                .map(event -> event.application() + "/" + event.task().id())
                .toList();
    }

    private static boolean events(ClusterUnderTest cluster, Class<? extends Event> kind) {
        return cluster.events().stream().anyMatch(kind::isInstance);
    }

    private static long placed(ClusterUnderTest cluster, String queue) {
        return cluster.queue(queue).allocatedTasks();
    }

    private static Task task(ClusterUnderTest cluster, String name) {
        return cluster.placed().stream()
                .filter(task -> task.toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void spread_aboveThresholdForLong_preemptsMostRecent(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        assertThat(cluster.queue("root").overThresholdSince()).isEqualTo(ClusterUnderTest.BEGIN);
        assertThat(cluster.scheduler().scheduler().nextDue("default")).isEqualTo(ClusterUnderTest.BEGIN.plus(MINIMUM));
        assertThat(cluster.advance(MINIMUM.minus(MOMENT)).cycle()).isEmpty();
        assertThat(preempted(cluster)).isEmpty();
        assertThat(cluster.advance(MOMENT).cycle()).hasSize(6).allMatch(placement -> placement.startsWith("l/"));
        assertThat(preempted(cluster)).containsExactly("d/t-9", "d/t-8", "d/t-7", "d/t-6", "d/t-5", "d/t-4");
        assertThat(placed(cluster, "root.land")).isEqualTo(6);
        assertThat(placed(cluster, "root.diff")).isEqualTo(4);
    }

    @Test
    void spread_interrupted_restartsTimer(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM.dividedBy(2)).succeed("d/t-0").succeed("d/t-1").succeed("d/t-2");
        assertThat(cluster.cycle()).hasSize(3);
        cluster.cycle();
        assertThat(events(cluster, PartitionEvent.SpreadReturned.class))
                .as("land has 3 of 10, 30 points below its load; diff has 7, 30 points above")
                .isFalse();
        cluster.succeed("d/t-3").cycle();
        assertThat(events(cluster, PartitionEvent.SpreadReturned.class))
                .as("30 points below, 20 above")
                .isTrue();
        assertThat(cluster.queue("root").overThresholdSince()).isNull();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).isEmpty();
    }

    @Test
    void preemptedTask_ended_isPendingWithRetriesIntact(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .nodes("w", 2, "slots", "1")
                .submitSealed("d", "root.diff", tasks("t", 2).withAttempts(1, null))
                .cycle();
        cluster.startAll().submit("l", "root.land", tasks("t", 2)).cycle();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).containsExactly("d/t-1");
        assertThat(task(cluster, "d/t-1").state()).isEqualTo(TaskState.PREEMPTING);
        assertThat(cluster.application("d").pending()).isZero();
        cluster.fail("d/t-1");
        assertThat(cluster.application("d").pending()).isEqualTo(1);
        assertThat(cluster.application("d").groups().get(0).failures(1)).isZero();
        cluster.startAll().succeed("l/t-0").cycle();
        cluster.startAll().succeedAll("l").cycle();
        cluster.startAll().fail("d/t-0").fail("d/t-1").cycle();
        cluster.startAll().succeedAll("d");
        assertThat(cluster.state("d")).as("the retry was unused").isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void beneficiary_ofPreemption_isReservedUntilVictimsEnd(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        assertThat(task(cluster, "l/t-0").state()).isEqualTo(TaskState.RESERVED);
        String node = task(cluster, "l/t-0").node().name();
        Task preempting = cluster.placed().stream()
                .filter(task -> task.isPreempting() && task.node().name().equals(node))
                .findFirst()
                .orElseThrow();
        cluster.fail(preempting.toString());
        assertThat(events(cluster, TaskEvent.Released.class)).isTrue();
        assertThat(task(cluster, "l/t-0").state()).isEqualTo(TaskState.STARTING);
        assertThat(task(cluster, "l/t-1").state()).isEqualTo(TaskState.RESERVED);
    }

    @Test
    void task_fittingBesideVictims_startsAtOnce(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .node("big", "slots", "10", "vcore", "10")
                .submit("d", "root.diff", TaskSpec.of("t", 9, Resources.parse("vcore", "1")))
                .cycle();
        cluster.startAll().submit("l", "root.land", TaskSpec.of("t", 8, Resources.parse("vcore", "1")));
        assertThat(cluster.cycle()).hasSize(1);
        cluster.startAll().succeedAll("l").cycle();
        cluster.startAll().advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).hasSize(5);
        assertThat(cluster.placed().stream().filter(Task::isReserved)).hasSize(5);
        cluster.fail("d/t-8");
        assertThat(cluster.placed().stream().filter(Task::isReserved)).hasSize(4);
    }

    @Test
    void victim_succeedsWhilePreempting_hasSucceeded(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        cluster.succeed("d/t-9");
        assertThat(cluster.application("d").succeeded()).isEqualTo(1);
        assertThat(cluster.application("d").pending()).isZero();
    }

    @Test
    void application_cancelledWithReservedTasks_endsThemAtOnce(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        cluster.cancel("l");
        assertThat(cluster.state("l")).isEqualTo(ApplicationState.FAILED);
        assertThat(placed(cluster, "root.land")).isZero();
    }

    @Test
    void application_cancelledWithVictims_endsWhenTheyEnd(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        cluster.cancel("d");
        for (int i = 0; i < 10; i++) {
            assertThat(cluster.state("d")).isEqualTo(ApplicationState.FAILING);
            cluster.fail("d/t-" + i);
        }
        assertThat(cluster.state("d")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void victim_stoppedByUser_doesNotRunAgain(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        cluster.stop("d/t-9").fail("d/t-9");
        assertThat(cluster.application("d").stopped()).isEqualTo(1);
        assertThat(cluster.application("d").pending()).isZero();
    }

    @Test
    void node_removedDuringPreemption_requeuesBothTasks(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        String node = task(cluster, "l/t-0").node().name();
        cluster.removeNode(node);
        assertThat(events(cluster, TaskEvent.Released.class)).isFalse();
        assertThat(cluster.application("l").pending()).isEqualTo(3);
        assertThat(cluster.application("d").pending()).isEqualTo(1);
    }

    @Test
    void node_notReady_releasesReservedTasks(ClusterUnderTest cluster) {
        List<Consumer<ClusterUnderTest>> ways = List.of(
                each -> each.lost(task(each, "l/t-0").node().name()),
                each -> each.offline(task(each, "l/t-1").node().name()),
                each -> each.suspend(task(each, "l/t-2").node().name()),
                each -> each.flaky(task(each, "l/t-3").node().name()));
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        for (int i = 0; i < ways.size(); i++) {
            assertThat(task(cluster, "l/t-" + i).state()).isEqualTo(TaskState.RESERVED);
            ways.get(i).accept(cluster);
            assertThat(cluster.application("l").pending()).isEqualTo(2 + i + 1);
        }
        assertThat(placed(cluster, "root.land")).isEqualTo(2);
    }

    @Test
    void node_enlarged_startsReservedTasks(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        cluster.updateNode(task(cluster, "l/t-0").node().name(), "slots", "2");
        assertThat(task(cluster, "l/t-0").state()).isEqualTo(TaskState.STARTING);
    }

    @Test
    void rebalance_repeatedAtOnce_preemptsNothing(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.advance(MINIMUM).cycle();
        for (int i = 0; i < 3; i++) {
            cluster.advance(MINIMUM).cycle();
            assertThat(preempted(cluster)).isEmpty();
            cluster.placed().stream()
                    .filter(Task::isPreempting)
                    .limit(3)
                    .forEach(task -> cluster.fail(task.toString()));
            cluster.startAll();
        }
        assertThat(placed(cluster, "root.land")).isEqualTo(6);
        assertThat(placed(cluster, "root.diff")).isEqualTo(4);
    }

    // land waits for the node with the GPU, which land itself uses
    @Test
    void rebalance_dueWithoutVictims_waitsForThem(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .nodes("w", 8, "slots", "1")
                .node("gpu", "slots", "2", "gpu", "2")
                .submit("g", "root.land", TaskSpec.of("t", 5, Resources.parse("gpu", "1")))
                .submit("d", "root.diff", tasks("t", 8))
                .cycle();
        cluster.startAll().cycle();
        assertThat(cluster.queue("root").overThresholdSince()).isNotNull();
        cluster.advance(MINIMUM).cycle();
        assertThat(events(cluster, PartitionEvent.RebalanceDue.class)).isTrue();
        assertThat(events(cluster, PartitionEvent.Rebalanced.class)).isFalse();
        cluster.cycle();
        assertThat(cluster.events()).isEmpty();
        assertThat(cluster.scheduler().scheduler().nextDue("default")).isNull();
        cluster.submit("l", "root.land", tasks("t", 2)).cycle();
        assertThat(preempted(cluster)).containsExactly("d/t-7", "d/t-6");
        assertThat(placed(cluster, "root.land")).isEqualTo(4);
    }

    @Test
    void tasks_onOfflineNodes_areNotPreempted(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .nodes("w", 10, "slots", "1")
                .submit("d", "root.diff", tasks("t", 10))
                .cycle();
        cluster.startAll().submit("l", "root.land", tasks("t", 8));
        for (int i = 5; i < 10; i++) {
            cluster.offline("w-" + i);
        }
        cluster.cycle();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster))
                .as("only on ready nodes")
                .containsExactly("d/t-4", "d/t-3", "d/t-2", "d/t-1", "d/t-0");
        assertThat(placed(cluster, "root.land")).isEqualTo(5);
    }

    @Test
    void application_allTasksPreempted_resumes(ClusterUnderTest cluster) {
        cluster.queues(queue("root", 0, 50, classOf("land", 50), classOf("diff", 50)))
                .nodes("w", 2, "slots", "1")
                .submit("d", "root.diff", tasks("t", 2))
                .cycle();
        cluster.startAll().queues(queue("root", 0, 50, classOf("land", 100), classOf("diff", 0)));
        cluster.submit("l", "root.land", tasks("t", 2)).cycle();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).containsExactly("d/t-1", "d/t-0");
        cluster.fail("d/t-0");
        assertThat(cluster.state("d")).isEqualTo(ApplicationState.RUNNING);
        cluster.fail("d/t-1");
        assertThat(cluster.state("d")).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(cluster.application("d").pending()).isEqualTo(2);
    }

    @Test
    void threshold_removedByConfiguration_clearsTimer(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.queues(queue("root", 0, 0, classOf("land", 60), classOf("diff", 40)));
        assertThat(cluster.queue("root").overThresholdSince()).isNull();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).isEmpty();
    }

    // root (load)
    //  ├─ ci 50 % (load, threshold 50)
    //  │   ├─ land 60 %
    //  │   └─ diff 40 %
    //  └─ batch 50 %
    @Test
    void nestedClasses_afterRebalance_useFreedWorkersAtOnce(ClusterUnderTest cluster) {
        cluster.queues(queue(
                        "root",
                        0,
                        0,
                        queue("ci", 50, 50, classOf("land", 60), classOf("diff", 40)),
                        classOf("batch", 50)))
                .nodes("w", 20, "slots", "1")
                .submit("d", "root.ci.diff", tasks("t", 10))
                .submit("b", "root.batch", tasks("t", 30))
                .cycle();
        cluster.startAll().submit("l", "root.ci.land", tasks("t", 10)).cycle();
        assertThat(cluster.advance(MINIMUM).cycle()).hasSize(6).allMatch(placement -> placement.startsWith("l/"));
        assertThat(placed(cluster, "root.ci.land")).isEqualTo(6);
        assertThat(placed(cluster, "root.ci.diff")).isEqualTo(4);
        assertThat(placed(cluster, "root.batch")).isEqualTo(10);
    }

    // root (load, threshold 50)
    //  ├─ ci 60 % (load)
    //  │   ├─ land 100 %
    //  │   └─ none   0 %
    //  └─ batch 40 %
    @Test
    void unservedTasks_ofZeroPercentClass_causeNoPreemption(ClusterUnderTest cluster) {
        cluster.queues(queue(
                        "root",
                        0,
                        50,
                        queue("ci", 60, 0, classOf("land", 100), classOf("none", 0)),
                        classOf("batch", 40)))
                .nodes("w", 10, "slots", "1")
                .submit("b", "root.batch", tasks("t", 10))
                .cycle();
        cluster.startAll().submit("n", "root.ci.none", tasks("t", 10)).cycle();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).isEmpty();
    }

    @Test
    void parentClasses_rebalanced_preemptMostRecentBelow(ClusterUnderTest cluster) {
        cluster.queues(queue(
                        "root",
                        0,
                        50,
                        classOf("land", 60),
                        queue("rest", 40, 0, classOf("diff", 50), classOf("sandbox", 50))))
                .nodes("w", 10, "slots", "1")
                .submit("d", "root.rest.diff", tasks("t", 9))
                .cycle();
        cluster.startAll()
                .advance(MOMENT)
                .submitSealed("s", "root.rest.sandbox", tasks("t", 1))
                .cycle();
        cluster.startAll()
                .submit(ApplicationSpec.open("l", "root.land", tasks("t", 8)))
                .cycle();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).containsExactly("s/t-0", "d/t-8", "d/t-7", "d/t-6", "d/t-5", "d/t-4");
        assertThat(placed(cluster, "root.land")).isEqualTo(6);
    }

    @Test
    void reservedTasks_nodeRemoved_arePendingWithRetriesIntact(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .node("w", "slots", "10")
                .submit("d", "root.diff", tasks("t", 10))
                .cycle();
        cluster.startAll()
                .submit(ApplicationSpec.sealed("l", "root.land", tasks("t", 8).withLostRetries(0))
                        .withOnFailure(FailurePolicy.STOP))
                .cycle();
        cluster.advance(MINIMUM).cycle();
        assertThat(task(cluster, "l/t-5").isReserved()).isTrue();

        cluster.removeNode("w");

        assertThat(cluster.application("l").failed()).isZero();
        assertThat(cluster.application("l").pending()).isEqualTo(8);
        assertThat(cluster.application("d").pending()).isEqualTo(10);
    }

    @Test
    void queue_removedWhileOverThreshold_leavesNoTimers(ClusterUnderTest cluster) {
        cluster.queues(QueueConfiguration.parent(
                        "root",
                        queue("shared", 0, 50, classOf("land", 60), classOf("diff", 40)),
                        QueueConfiguration.leaf("other")))
                .nodes("w", 10, "slots", "1")
                .submit("d", "root.shared.diff", tasks("t", 10))
                .cycle();
        cluster.startAll().submit("l", "root.shared.land", tasks("t", 8)).cycle();
        assertThat(cluster.queue("root.shared").overThresholdSince()).isNotNull();
        cluster.succeedAll("d").cancel("d").cancel("l");

        cluster.queues(QueueConfiguration.parent("root", QueueConfiguration.leaf("other")));

        assertThat(cluster.advance(MINIMUM).cycle()).isEmpty();
        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void spread_whileThrottleExceeded_preemptsNothing(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.handle(new Command.SetThrottle("default", 4)).advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).as("nothing could use their workers").isEmpty();
        for (int i = 4; i < 10; i++) {
            cluster.succeed("d/t-" + i);
        }
        cluster.cycle();
        assertThat(preempted(cluster)).containsExactly("d/t-3", "d/t-2");
        assertThat(placed(cluster, "root.land")).isEqualTo(2);
        assertThat(placed(cluster, "root.diff")).isEqualTo(2);
    }

    @Test
    void protection_ending_wakesRebalance(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root          load threshold(10)
                ├─ land       percent(60)
                └─ diff       percent(40) runtime(PT10M)
                """)).nodes("w", 10, "slots", "1");
        cluster.submit("d", "root.diff", tasks("t", 10)).cycle();
        cluster.startAll();
        Instant started = cluster.now();
        cluster.submit("l", "root.land", tasks("t", 6)).cycle();
        cluster.advance(MINIMUM).cycle();
        assertThat(cluster.queue("root").isRebalanceDue()).isTrue();
        assertThat(preempted(cluster)).isEmpty();

        Instant end = started.plus(Duration.ofMinutes(10));
        assertThat(cluster.scheduler().scheduler().nextDue("default")).isEqualTo(end);
        cluster.advance(Duration.between(cluster.now(), end)).cycle();
        assertThat(preempted(cluster)).hasSize(6);
        assertThat(cluster.scheduler().scheduler().nextDue("default")).isNull();
    }

    @Test
    void stoppingTasks_duringRebalance_countUntilTheyEnd(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.stop("d/t-0").stop("d/t-1");
        assertThat(cluster.queue("root.diff").stoppingTasks()).isEqualTo(2);
        assertThat(cluster.queue("root").stoppingTasks()).isEqualTo(2);
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).isNotEmpty();
        cluster.stop("d/t-9");
        assertThat(task(cluster, "d/t-9").state()).isEqualTo(TaskState.PREEMPTING);
        assertThat(cluster.queue("root").stoppingTasks()).isEqualTo(2);
        cluster.fail("d/t-0").succeed("d/t-1").fail("d/t-9");
        assertThat(cluster.queue("root.diff").stoppingTasks()).isZero();
        assertThat(cluster.queue("root").stoppingTasks()).isZero();
    }

    private static QueueConfiguration land(Resources max, long maxApplications, ApplicationSortPolicy sort) {
        QueueProperties properties =
                QueueProperties.DEFAULTS.withApplicationSortPolicy(sort).withLoad(new LoadProperties(60, 0, MINIMUM));
        return QueueConfiguration.of("land", Resources.NONE, max, maxApplications, properties, List.of());
    }

    private static QueueConfiguration land(Resources max) {
        return land(max, 0, ApplicationSortPolicy.FIFO);
    }

    /** Ten workers: land has one per task of its first application, diff the rest; then land waits for more. */
    private static void loanBeside(ClusterUnderTest cluster, QueueConfiguration land, int landTasks, TaskSpec waiting) {
        cluster.queues(queue("root", 0, 50, land, classOf("diff", 40)))
                .nodes("w", 10, "slots", "1")
                .submit("l0", "root.land", tasks("t", landTasks))
                .cycle();
        cluster.submit("d", "root.diff", tasks("t", 20)).cycle();
        cluster.startAll().submit("l", "root.land", waiting).cycle();
    }

    private static void checkNoTimers(ClusterUnderTest cluster) {
        assertThat(cluster.queue("root").overThresholdSince()).as("the timer").isNull();
        cluster.advance(MINIMUM).cycle();
        assertThat(cluster.advance(MINIMUM).cycle()).isEmpty();
        assertThat(preempted(cluster)).isEmpty();
        assertThat(placed(cluster, "root.diff")).isEqualTo(10 - placed(cluster, "root.land"));
    }

    @Test
    void class_atMaximum_getsNothing(ClusterUnderTest cluster) {
        loanBeside(cluster, land(Resources.parse("slots", "1")), 1, tasks("t", 8));
        checkNoTimers(cluster);
    }

    @Test
    void class_atMaximumApplications_getsNothing(ClusterUnderTest cluster) {
        loanBeside(cluster, land(Resources.NONE, 1, ApplicationSortPolicy.FIFO), 1, tasks("t", 8));
        checkNoTimers(cluster);
    }

    @Test
    void class_behindStartingApplication_getsNothing(ClusterUnderTest cluster) {
        loanBeside(cluster, land(Resources.NONE, 0, ApplicationSortPolicy.STATE_AWARE), 1, tasks("t", 8));
        assertThat(cluster.state("l0")).isEqualTo(ApplicationState.STARTING);
        assertThat(cluster.queue("root").overThresholdSince()).isNull();
        cluster.advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).isEmpty();
    }

    @Test
    void class_tasksFitNoNode_getsNothing(ClusterUnderTest cluster) {
        loanBeside(cluster, land(Resources.NONE), 0 + 1, TaskSpec.of("t", 8, Resources.parse("gpu", "1")));
        checkNoTimers(cluster);
    }

    @Test
    void class_nearMaximum_getsOnlyStartableTasks(ClusterUnderTest cluster) {
        loanBeside(cluster, land(Resources.parse("slots", "3")), 1, tasks("t", 8));
        assertThat(cluster.advance(MINIMUM).cycle()).hasSize(2);
        assertThat(preempted(cluster)).hasSize(2);
        assertThat(cluster.advance(MINIMUM).cycle()).isEmpty();
        assertThat(preempted(cluster)).isEmpty();
    }

    /** Checks which tasks of one class are preempted for the other; tasks have one core unless stated otherwise. */
    private static TaskSpec cores(String name, int count, int cores) {
        return TaskSpec.of(name, count, Resources.parse("vcore", String.valueOf(cores)));
    }

    // n: land 2 cores, diff 2 cores; land waits for a whole node
    @Test
    void task_fittingNowhereEvenWithVictims_preemptsNothing(ClusterUnderTest cluster) {
        cluster.queues(queue("root", 0, 30, classOf("land", 90), classOf("diff", 10)));
        for (int i = 0; i < 2; i++) {
            cluster.node("n-" + i, "vcore", "4");
        }
        cluster.submit("l0", "root.land", cores("t", 2, 2)).cycle();
        cluster.submit("d", "root.diff", cores("t", 2, 2)).cycle();
        cluster.startAll().submit("l", "root.land", cores("t", 1, 4)).cycle();
        assertThat(cluster.queue("root").overThresholdSince()).isNotNull();
        cluster.advance(MINIMUM).cycle();
        assertThat(cluster.queue("root").isRebalanceDue()).isTrue();
        assertThat(preempted(cluster)).isEmpty();
        cluster.succeed("d/t-0").submit("d2", "root.diff", cores("t", 1, 1));
        assertThat(cluster.cycle()).as("no other class can use it").hasSize(1);
    }

    // n: diff 4 × 1 core; land waits for 3 cores
    @Test
    void largeTask_needingSeveralVictims_preemptsThem(ClusterUnderTest cluster) {
        cluster.queues(queue("root", 0, 30, classOf("land", 75), classOf("diff", 25)))
                .node("n", "vcore", "4")
                .submit("d", "root.diff", cores("t", 4, 1))
                .cycle();
        cluster.startAll().submit("l", "root.land", cores("t", 3, 3)).cycle();
        assertThat(cluster.advance(MINIMUM).cycle()).containsExactly("l/t-0 -> n");
        assertThat(preempted(cluster)).containsExactly("d/t-3", "d/t-2", "d/t-1");
        assertThat(task(cluster, "l/t-0").isReserved()).isTrue();
    }

    // n: diff 1 core, then 3 cores; land waits for 3 cores
    @Test
    void task_needingOneVictim_sparesOthers(ClusterUnderTest cluster) {
        cluster.queues(queue("root", 0, 20, classOf("land", 75), classOf("diff", 25)))
                .node("n", "vcore", "4")
                .submit("large", "root.diff", cores("t", 1, 3))
                .cycle();
        cluster.startAll()
                .advance(MOMENT)
                .submit("small", "root.diff", cores("t", 1, 1))
                .cycle();
        cluster.startAll().submit("l", "root.land", cores("t", 1, 3)).cycle();
        assertThat(cluster.advance(MINIMUM).cycle()).containsExactly("l/t-0 -> n");
        assertThat(preempted(cluster)).containsExactly("large/t-0");
    }

    @Test
    void task_withRequiredNode_preemptsThere(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .nodes("w", 10, "slots", "1")
                .submit("d", "root.diff", tasks("t", 10))
                .cycle();
        String oldest = task(cluster, "d/t-0").node().name();
        cluster.startAll()
                .submit("l", "root.land", tasks("t", 1).withConstraints(Map.of(), oldest))
                .cycle();
        assertThat(cluster.advance(MINIMUM).cycle()).containsExactly("l/t-0 -> " + oldest);
        assertThat(preempted(cluster)).containsExactly("d/t-0");
    }

    // root (load, threshold 50), at its maximum of 10 slots
    //  ├─ land 60 %
    //  └─ diff 40 %
    @Test
    void classes_parentAtMaximum_reclaimLoans(ClusterUnderTest cluster) {
        QueueConfiguration shared = queue("shared", 0, 50, classOf("land", 60), classOf("diff", 40));
        QueueConfiguration limited = QueueConfiguration.of(
                "shared", Resources.NONE, Resources.parse("vcore", "10"), 0, shared.properties(), shared.children());
        cluster.queues(QueueConfiguration.parent("root", limited, QueueConfiguration.leaf("other")))
                .nodes("w", 20, "slots", "1", "vcore", "1")
                .submit("o", "root.other", cores("t", 10, 1))
                .cycle();
        cluster.submit("d", "root.shared.diff", cores("t", 10, 1)).cycle();
        cluster.startAll().submit("l", "root.shared.land", cores("t", 10, 1)).cycle();
        assertThat(cluster.advance(MINIMUM).cycle()).hasSize(6);
        assertThat(preempted(cluster)).hasSize(6);
    }

    @Test
    void rebalance_withoutPreemption_startsUpToEntitlementsFirst(ClusterUnderTest cluster) {
        cluster.queues(queue("root", 0, 30, classOf("land", 61), classOf("diff", 39)))
                .nodes("w", 21, "slots", "1")
                .submit("l", "root.land", tasks("t", 7))
                .cycle();
        cluster.submit("d", "root.diff", tasks("t", 14)).cycle();
        cluster.startAll()
                .submit("d2", "root.diff", tasks("t", 15))
                .submit("l2", "root.land", tasks("t", 42))
                .cycle();
        assertThat(placed(cluster, "root.land")).isEqualTo(7);
        assertThat(placed(cluster, "root.diff")).isEqualTo(14);
        cluster.nodes("x", 19, "slots", "1").advance(MINIMUM).cycle();
        assertThat(preempted(cluster)).isEmpty();
        assertThat(placed(cluster, "root.land")).isEqualTo(24);
        assertThat(placed(cluster, "root.diff")).isEqualTo(16);
    }

    @Test
    void preemptedTasks_ofUnservedClass_reasonMentionsNoRerun(ClusterUnderTest cluster) {
        loanAllToDiff(cluster);
        cluster.queues(queue("root", 0, 50, classOf("land", 100), classOf("diff", 0)))
                .advance(MINIMUM)
                .cycle();
        assertThat(preempted(cluster)).isNotEmpty();
        List<PendingSummary> waiting = new Explainer(cluster.partition()).explain(cluster.application("d"));
        assertThat(waiting.get(0).reason()).isEqualTo(new WaitReason.Preempting("root.diff", false));
        assertThat(waiting.get(0).reason().detail()).contains("never served").doesNotContain("runs again");
    }
}
