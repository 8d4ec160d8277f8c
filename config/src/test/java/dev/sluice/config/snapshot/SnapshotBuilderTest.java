package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.DelayedTask;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Captures the state of a scheduler. */
final class SnapshotBuilderTest {

    private static final String QUEUE = "root.default";
    private static final Resources CORE = Resources.parse("vcore", "1");

    private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());

    SnapshotBuilderTest() {
        cluster.configure(PartitionConfiguration.simplest());
    }

    private Snapshot snapshot() {
        Snapshot snapshot = SnapshotBuilder.capture(cluster.scheduler().state(), cluster.now());
        ParseResult<Snapshot> reading = SnapshotReader.read("taken", SnapshotWriter.yaml(snapshot));
        assertThat(reading.isOk()).as(reading.report()).isTrue();
        assertThat(reading.value()).isEqualTo(snapshot);
        assertThat(SnapshotReader.read("taken", SnapshotWriter.json(snapshot)).value())
                .isEqualTo(snapshot);
        return snapshot;
    }

    @Test
    void queueOfAPlacementRule_keepsItsQuotas() {
        PlacementRule namespace =
                new PlacementRule(PlacementRule.Kind.TAG, "namespace", true, null, RuleFilter.EVERYBODY);
        cluster.configure(PartitionConfiguration.simplest().withPlacementRules(List.of(namespace)))
                .submit(ApplicationSpec.open("a", null)
                        .withTags(Map.of("namespace", "team"))
                        .withTasks(List.of(TaskSpec.of("t", 4, CORE))));
        assertThat(snapshot().queues()).containsExactly(new QueueEntry("default", "root.team", null, null, null, null));
        Resources max = Resources.parse("vcore", "3");
        cluster.handle(new Command.SetQueueQuotas("default", "a", null, max, 5));
        assertThat(snapshot().queues())
                .containsExactly(new QueueEntry(
                        "default", "root.team", null, null, null, new QueueEntry.Quotas(Resources.NONE, max, 5)));
        Scheduler scheduler = SnapshotLoader.load(snapshot());
        Partition partition = Objects.requireNonNull(scheduler.state().partition("default"));
        assertThat(Objects.requireNonNull(partition.queues().find("root.team")).configuration())
                .isEqualTo(cluster.queue("root.team").configuration());
    }

    @Test
    void queue_aboveLoweredMaximum_keepsSinceWhen() {
        cluster.configure(withMaximum(4)).node("n", "vcore", "4").submit("a", QUEUE, TaskSpec.of("t", 4, CORE));
        cluster.cycle();
        cluster.startAll().configure(withMaximum(3)).cycle();
        Instant since = cluster.now();
        cluster.advance(Duration.ofMinutes(2));
        assertThat(snapshot().queues()).containsExactly(new QueueEntry("default", QUEUE, null, null, since, null));
        Scheduler scheduler = SnapshotLoader.load(snapshot());
        scheduler.cycle("default", cluster.now());
        assertThat(scheduler.nextDue("default")).isEqualTo(since.plus(Duration.ofMinutes(5)));
        assertThat(scheduler.cycle("default", since.plus(Duration.ofMinutes(5))))
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskEvent.Stopping.class,
                        event -> assertThat(event.reason()).isEqualTo(StopReason.QUOTA));
    }

    private static PartitionConfiguration withMaximum(int cores) {
        QueueProperties properties = QueueProperties.DEFAULTS.withPreemption(
                PreemptionProperties.DEFAULTS.withQuotaDelay(Duration.ofMinutes(5)));
        QueueConfiguration leaf = QueueConfiguration.of(
                "default", Resources.NONE, Resources.of("vcore", 1000L * cores), 0, properties, List.of());
        return PartitionConfiguration.of("default", QueueConfiguration.parent("root", leaf))
                .withPreemption(true, true);
    }

    private TaskEntry onlyTask() {
        return snapshot().applications().get(0).tasks().get(0);
    }

    private Partition loaded() {
        Scheduler scheduler = SnapshotLoader.load(snapshot());
        return Objects.requireNonNull(
                scheduler.state().partition(cluster.partition().name()));
    }

    @Test
    void group_partlyRunningAndEnded_isEntryWithParts() {
        cluster.node("n", "vcore", "4").submit("a", QUEUE, TaskSpec.of("t", 1000, CORE));
        cluster.cycle();
        cluster.startAll().succeed("a/t-0").fail("a/t-1").stop("a/t-999");
        cluster.cycle();
        TaskEntry task = onlyTask();
        assertThat(task.spec().count()).isEqualTo(1000);
        assertThat(task.state()).isEqualTo(TaskState.PENDING);
        assertThat(task.parts())
                .containsExactly(
                        new TaskPart(0, 1, TaskState.SUCCEEDED, null, null, null),
                        new TaskPart(1, 1, TaskState.FAILED, null, null, null),
                        new TaskPart(2, 1, TaskState.RUNNING, "n", cluster.now(), 2L),
                        new TaskPart(3, 1, TaskState.RUNNING, "n", cluster.now(), 3L),
                        new TaskPart(4, 1, TaskState.STARTING, "n", cluster.now(), 4L),
                        new TaskPart(5, 1, TaskState.STARTING, "n", cluster.now(), 5L),
                        new TaskPart(999, 1, TaskState.STOPPED, null, null, null));
        Application application = loaded().existing("a");
        assertThat(application.pending()).isEqualTo(993);
        assertThat(application.placed()).isEqualTo(4);
        assertThat(application.succeeded()).isEqualTo(1);
        assertThat(application.failed()).isEqualTo(1);
        assertThat(application.stopped()).isEqualTo(1);
        assertThat(application.state()).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void group_pending_isEntryWithoutParts() {
        cluster.submit("a", QUEUE, TaskSpec.of("t", 10_000_000, CORE));
        assertThat(onlyTask().parts()).isEmpty();
        assertThat(onlyTask().allParts()).hasSize(1);
    }

    @Test
    void application_ended_isLeftOut() {
        cluster.node("n", "vcore", "4").submitSealed("a", QUEUE, TaskSpec.single("t", CORE));
        cluster.submitSealed("b", QUEUE, TaskSpec.single("t", CORE));
        cluster.cycle();
        cluster.succeed("a/t");
        assertThat(snapshot().applications()).extracting(ApplicationEntry::id).containsExactly("b");
    }

    @Test
    void conditions_met_areLeftOut() {
        cluster.node("n", "vcore", "1");
        cluster.submit(
                "a",
                QUEUE,
                TaskSpec.single("t", CORE),
                TaskSpec.single("u", CORE).withAfter(Map.of("t", TaskCondition.SUCCEEDED)),
                TaskSpec.single("v", CORE).withAfter(Map.of("u", TaskCondition.SUCCEEDED)));
        cluster.cycle();
        cluster.succeed("a/t");
        List<TaskEntry> tasks = snapshot().applications().get(0).tasks();
        assertThat(tasks.get(1).spec().after()).isEmpty();
        assertThat(tasks.get(2).spec().after()).containsOnlyKeys("u");
    }

    @Test
    void dependents_ofTaskFailedBeforeStart_keepWaiting() {
        cluster.node("n", "vcore", "2");
        cluster.submit(
                "a",
                QUEUE,
                TaskSpec.of("t", 2, CORE),
                TaskSpec.single("u", CORE).withAfter(Map.of("t", TaskCondition.STARTED)));
        cluster.cycle();
        cluster.start("a/t-0").fail("a/t-1");
        assertThat(cluster.application("a").pending()).isZero();
        assertThat(loaded().existing("a").pending()).isZero();
    }

    @Test
    void settings_ofPartition_areCaptured() {
        cluster.handle(new Command.SetThrottle("default", 3));
        cluster.handle(new Command.SetSeed("default", -7));
        assertThat(snapshot().seed()).isEqualTo(-7);
        assertThat(loaded().throttle()).isEqualTo(3);
        assertThat(loaded().seed()).isEqualTo(-7);
    }

    @Test
    void seeds_ofPartitions_areCaptured() {
        PartitionConfiguration other = PartitionConfiguration.of(
                "other", PartitionConfiguration.simplest().root());
        cluster.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest(), other)));
        cluster.handle(new Command.SetSeed("other", 5));
        Scheduler scheduler = SnapshotLoader.load(snapshot());
        assertThat(scheduler.state().partitions()).extracting(Partition::seed).containsExactly(0L, 5L);
    }

    @Test
    void node_requiredButMissing_becomesOfflineNode() {
        cluster.node("n", "vcore", "4");
        cluster.submit("a", QUEUE, TaskSpec.single("t", CORE).withConstraints(Map.of(), "gone"));
        Partition loaded = loaded();
        assertThat(Objects.requireNonNull(loaded.node("gone")).state()).isEqualTo(NodeState.OFFLINE);
        assertThat(loaded.amounts(loaded::total)).isEqualTo(Resources.parse("vcore", "4"));
    }

    @Test
    void node_overallocated_keepsRunningTasks() {
        cluster.node("n", "vcore", "4").submit("a", QUEUE, TaskSpec.of("t", 4, CORE));
        cluster.cycle();
        cluster.updateNode("n", "vcore", "1");
        assertThat(loaded().existing("a").placed()).isEqualTo(4);
    }

    @Test
    void nodes_notReady_keepTheirState() {
        cluster.node("n", "vcore", "4").node("m", "vcore", "4").node("o", "vcore", "4");
        cluster.suspend("n").flaky("m").offline("m").lost("o");
        cluster.advance(java.time.Duration.ofSeconds(5));
        Partition loaded = loaded();
        for (String name : List.of("n", "m", "o")) {
            var node = Objects.requireNonNull(loaded.node(name));
            assertThat(node.health()).isEqualTo(cluster.node(name).health());
            assertThat(node.healthSince()).isEqualTo(cluster.node(name).healthSince());
            assertThat(node.isOffline()).isEqualTo(cluster.node(name).isOffline());
        }
    }

    @Test
    void application_startedButIdle_staysStarting() {
        cluster.node("n", "vcore", "1");
        cluster.submit(
                ApplicationSpec.open("a", QUEUE, TaskSpec.of("t", 2, CORE).withAttempts(1, null)));
        cluster.cycle();
        cluster.start("a/t-0").fail("a/t-0");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.STARTING);
        Application application = loaded().existing("a");
        assertThat(application.state()).isEqualTo(ApplicationState.STARTING);
        assertThat(application.isActive()).isTrue();
        assertThat(application.allocations()).isEqualTo(1);
        assertThat(application.pending()).isEqualTo(2);
    }

    @Test
    void tasks_inRetryDelay_keepIt() {
        TaskSpec delayed =
                TaskSpec.of("t", 3, CORE).withRetries(new Retries(3, Duration.ofMinutes(1), 1.5, List.of(1, 75)));
        cluster.node("n", "vcore", "2").submit("a", QUEUE, delayed);
        cluster.cycle();
        cluster.fail("a/t-1");
        Application application = loaded().existing("a");
        assertThat(application.groups().get(0).spec()).isEqualTo(delayed);
        assertThat(application.groups().get(0).delayed())
                .extracting(DelayedTask::index, DelayedTask::retryAt)
                .containsExactly(tuple(1, cluster.now().plusSeconds(60)));
        assertThat(application.pending()).isEqualTo(1);
    }

    @Test
    void application_resuming_hasNotStarted() {
        cluster.node("n", "vcore", "2");
        cluster.submit("a", QUEUE, TaskSpec.of("t", 3, CORE));
        cluster.cycle();
        cluster.succeed("a/t-0").lose("a/t-1");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.ACCEPTED);
        Application application = loaded().existing("a");
        assertThat(application.state()).isEqualTo(ApplicationState.ACCEPTED);
        assertThat(application.isActive()).isFalse();
        assertThat(application.allocations()).isZero();
        assertThat(application.succeeded()).isEqualTo(1);
    }

    @Test
    void parts_impossible_areReported() {
        assertThat(problems("id: t, count: 3, parts: [{first: 1, state: running, node: n}, {first: 1, state: failed}]"))
                .contains("must be a whole number from 2 to 2");
        assertThat(problems("id: t, count: 3, parts: [{first: 1, count: 3, state: failed}]"))
                .contains("there are only 3 tasks, indexed from 0: no task has index 3");
        assertThat(problems("id: t, parts: [{first: 0, state: failed}]")).contains("parts need a count");
        assertThat(problems("id: t, count: 3, state: running, parts: [{first: 0, state: failed}]"))
                .contains("tasks outside of parts cannot be allocated");
        assertThat(problems("id: t, count: 3, parts: [{first: 0, state: failed, node: n}]"))
                .contains("has no node: remove node");
        assertThat(problems("id: t, count: 3, parts: [{first: 0, count: 2, state: running, placement: 4}]"))
                .contains("a placement belongs to one task");
        assertThat(problems("id: t, count: 3, parts: [{state: running}]")).contains("the index of its first task");
        assertThat(problems("id: t, count: 3, parts: [{first: 0}]")).contains("a part needs a state");
        assertThat(problems("id: t, state: pending, placement: 4")).contains("remove placement");
        assertThat(problems("id: t, count: 3, parts: [{first: 0, state: running}]}], state: Accepted, x: [{y: 1"))
                .contains("an application in state Accepted cannot have tasks in state running");
    }

    private static String problems(String task) {
        return SnapshotReader.read(
                        "s.yaml",
                        "at: 2026-01-01T12:00:00Z\nnodes: [{name: n, capacity: {vcore: 4}}]\napplications:\n"
                                + "  - {id: a, queue: root.default, tasks: [{" + task + "}]}\n")
                .report();
    }

    @Test
    void settings_duplicate_areReported() {
        String report = SnapshotReader.read(
                        "s.yaml", "at: 2026-01-01T12:00:00Z\nsettings: [{throttle: 3}, {seed: 1}, {throttle: -1}]\n")
                .report();
        assertThat(report).contains("duplicate settings of partition default", "-1 is negative");
    }
}
