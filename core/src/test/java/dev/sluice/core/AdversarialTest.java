package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hostile submissions: huge counts, extreme amounts, very long dependency chains. */
@Timeout(120)
@ExtendWith(SchedulerExtension.class)
@Tag("slow")
class AdversarialTest {

    private static final int CHAIN = 100_000;
    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void fiftyMillionTasks_pending_costNothing(ClusterUnderTest cluster) {
        ready(cluster);
        TaskSpec[] tasks = new TaskSpec[5];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = TaskSpec.of("t" + i, TaskSpec.COUNT_MAX, CORE);
        }
        cluster.submit("app", null, tasks);

        assertThat(cluster.cycle()).hasSize(8);
        assertThat(cluster.application("app").pending()).isEqualTo(SchedulerLimits.APPLICATION_TASKS_MAX - 8);
        assertThat(new Explainer(cluster.partition()).explainAll()).hasSize(1);

        cluster.stop("app/t4-9999999").stop("app/t4-5000000").cancel("app");
        assertThat(cluster.application("app").stopped()).isEqualTo(SchedulerLimits.APPLICATION_TASKS_MAX - 8);
    }

    @Test
    void tasks_endedAndReplaced_stayWithinLimits(ClusterUnderTest cluster) {
        ready(cluster);
        cluster.submit("app", null, TaskSpec.single("t", Resources.of("gpu", SchedulerLimits.SUM_MAX)));
        Command more = new Command.AddTasks("default", "app", List.of(TaskSpec.single("u", Resources.of("gpu", 1))));
        assertThat(cluster.refusal(more).code()).isEqualTo(Refusal.Code.TOO_MUCH);
        cluster.submit("other", null, TaskSpec.single("keep", CORE));
        cluster.cycle();

        cluster.stop("app/t");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        cluster.submit("again", null, TaskSpec.single("t", Resources.of("gpu", SchedulerLimits.SUM_MAX)));
    }

    @Test
    void node_ofMaximumCapacity_isFilledWithoutOverflow(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest());
        cluster.handle(new Command.RegisterNode(
                "default", "n", Resources.of("memory", SchedulerLimits.SUM_MAX), new TreeMap<>()));
        cluster.submit("app", null, TaskSpec.of("t", 2, Resources.of("memory", SchedulerLimits.SUM_MAX / 2)));

        assertThat(cluster.cycle()).hasSize(2);
        assertThat(cluster.allocated("root").amount("memory").value()).isEqualTo(SchedulerLimits.SUM_MAX);
    }

    @Test
    void dependencyChain_firstTaskFailed_isDroppedWithoutRecursion(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("app", null, chain(TaskCondition.SUCCEEDED)).cycle();

        cluster.fail("app/t0");

        assertThat(cluster.application("app").stopped()).isEqualTo(CHAIN - 1);
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    @Tag("slow")
    void dependencyChain_waiting_isExplained(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("app", null, chain(TaskCondition.STARTED));

        assertThat(new Explainer(cluster.partition()).explainAll()).hasSize(CHAIN);
    }

    @Test
    void dependencyCycle_veryLong_isRefusedQuicklyAndBriefly(ClusterUnderTest cluster) {
        TaskSpec[] tasks = chain(TaskCondition.STARTED);
        tasks[0] = tasks[0].withAfter(Map.of("t" + (CHAIN - 1), TaskCondition.STARTED));

        Refusal refusal = ready(cluster)
                .refusal(new Command.SubmitApplication("default", ApplicationSpec.sealed("app", null, tasks)));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.INVALID);
        assertThat(refusal.message())
                .startsWith("cyclic task dependencies: t0 → t99999 → t99998 → ")
                .hasSizeLessThan(1000);
    }

    @Test
    @Tag("slow")
    void dependents_veryMany_areDroppedTogether(ClusterUnderTest cluster) {
        TaskSpec[] tasks = new TaskSpec[CHAIN];
        tasks[0] = TaskSpec.single("t0", CORE);
        for (int i = 1; i < CHAIN; i++) {
            tasks[i] = TaskSpec.single("t" + i, CORE).withAfter(Map.of("t0", TaskCondition.SUCCEEDED));
        }
        ready(cluster).submitSealed("app", null, tasks).cycle();

        cluster.fail("app/t0");

        assertThat(cluster.application("app").stopped()).isEqualTo(CHAIN - 1);
    }

    @Test
    @Tag("slow")
    void tasks_withCollidingHashes_areFoundQuickly(ClusterUnderTest cluster) {
        List<String> names = List.of("");
        for (int length = 0; length < 15; length++) {
            names = names.stream()
                    .flatMap(name -> Stream.of(name + "Aa", name + "BB"))
                    .toList();
        }
        TaskSpec[] tasks = names.stream()
                .map(name -> TaskSpec.single(name, CORE).withDurationKey(name))
                .toArray(TaskSpec[]::new);
        assertThat(tasks[0].kind()).hasSameHashCodeAs(tasks[1].kind());
        ready(cluster).submit("app", null, tasks).cycle();

        for (int i = 0; i < tasks.length; i++) {
            TaskRef task = cluster.application("app").find(names.get(i));
            assertThat(task).isNotNull();
            assertThat(Objects.requireNonNull(cluster.application("app").groupOf(task))
                            .index())
                    .isEqualTo(i);
        }
        assertThat(cluster.refusal(new Command.AddTasks("default", "app", List.of(tasks[tasks.length - 1])))
                        .code())
                .isEqualTo(Refusal.Code.DUPLICATE);
    }

    @Test
    void manyTimers_dueAtOnce_expireInOneCycle(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "slots", "1000");
        for (int i = 0; i < 1000; i++) {
            cluster.submit("app-" + i, null, TaskSpec.single("t", Resources.NONE));
        }
        cluster.cycle();

        cluster.advance(Duration.ofMinutes(5)).cycle();

        assertThat(cluster.partition().applications())
                .allSatisfy(application -> assertThat(application.state()).isEqualTo(ApplicationState.RUNNING));
    }

    @Test
    void siblingQueues_veryMany_areConfigured() {
        List<QueueConfiguration> queues = new ArrayList<>();
        for (int i = 0; i < CHAIN; i++) {
            queues.add(QueueConfiguration.leaf("q" + i));
        }
        QueueConfiguration root = QueueConfiguration.parent("root", queues.toArray(QueueConfiguration[]::new));
        Scheduler scheduler = new Scheduler();

        scheduler.handle(
                new Command.ApplyConfiguration(List.of(PartitionConfiguration.of("default", root))), Instant.EPOCH);

        assertThat(scheduler.state().partition("default"))
                .isNotNull()
                .satisfies(partition ->
                        assertThat(partition.queues().root().children()).hasSize(CHAIN));
    }

    private static TaskSpec[] chain(TaskCondition condition) {
        TaskSpec[] tasks = new TaskSpec[CHAIN];
        tasks[0] = TaskSpec.single("t0", CORE);
        for (int i = 1; i < CHAIN; i++) {
            tasks[i] = TaskSpec.single("t" + i, CORE).withAfter(Map.of("t" + (i - 1), condition));
        }
        return tasks;
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "8");
    }

    // root (load, threshold 10)
    //  ├─ a 50 %
    //  └─ b 50 %
    private static ClusterUnderTest twoClasses(ClusterUnderTest cluster, int workers) {
        LoadProperties half = LoadProperties.ofClass(50);
        QueueProperties root = QueueProperties.DEFAULTS
                .withSharePolicy(SharePolicyKind.LOAD)
                .withLoad(LoadProperties.DEFAULTS.withRebalance(10, Duration.ofMinutes(4)));
        QueueProperties share = QueueProperties.DEFAULTS.withLoad(half);
        cluster.queues(QueueConfiguration.parent(
                                "root",
                                QueueConfiguration.leaf("a").withProperties(share),
                                QueueConfiguration.leaf("b").withProperties(share))
                        .withProperties(root))
                .node("n", "slots", String.valueOf(workers))
                .submit("x", "root.a", TaskSpec.of("t", workers, Resources.NONE))
                .cycle();
        return cluster.startAll();
    }

    @Test
    void preemptedTasks_thousandsOnOneNode_areReplacedQuickly(ClusterUnderTest cluster) {
        twoClasses(cluster, 4000).submit("y", "root.b", TaskSpec.of("t", 4000, Resources.NONE));
        cluster.cycle();
        cluster.advance(Duration.ofMinutes(4));
        assertThat(cluster.cycle()).hasSize(2000);
        for (int i = 2000; i < 4000; i++) {
            cluster.fail("x/t-" + i);
            assertThat(cluster.events()).anyMatch(TaskEvent.Released.class::isInstance);
        }
        assertThat(cluster.node("n").reserved()).isEmpty();
    }

    @Test
    void loans_withoutBeneficiary_areCheapPerCycle(ClusterUnderTest cluster) {
        twoClasses(cluster, 20_000).submit("more", "root.a", TaskSpec.of("t", 5, Resources.NONE));
        cluster.cycle();
        cluster.advance(Duration.ofMinutes(4)).cycle();
        assertThat(cluster.queue("root").isRebalanceDue())
                .as("no class below its entitlement has tasks that could start")
                .isFalse();
        for (int i = 0; i < 10_000; i++) {
            assertThat(cluster.scheduler().scheduler().cycle("default", cluster.now()))
                    .isEmpty();
        }
    }
}
