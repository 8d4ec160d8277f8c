package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Minimal reproductions of failures found by random clusters. */
@ExtendWith(SchedulerExtension.class)
class MinimalCasesTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void dependent_ofStoppingTaskThatSucceeds_runs(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "1");
        cluster.submit(
                "app",
                null,
                TaskSpec.single("first", CORE),
                TaskSpec.single("then", CORE).withAfter(Map.of("first", TaskCondition.STARTED)));
        assertThat(cluster.cycle()).containsExactly("app/first -> n");

        cluster.stop("app/first").succeed("app/first");

        assertThat(cluster.cycle()).containsExactly("app/then -> n");
    }

    // root
    // └── a    stateaware: huge (fits the node that is offline), small
    @Test
    void stateaware_skippedApplicationCancelled_servesNext(ClusterUnderTest cluster) {
        QueueProperties stateAware =
                QueueProperties.DEFAULTS.withApplicationSortPolicy(ApplicationSortPolicy.STATE_AWARE);
        cluster.queues(QueueConfiguration.parent(
                "root", QueueConfiguration.of("a", Resources.NONE, Resources.NONE, 0, stateAware, List.of())));
        cluster.node("n", "vcore", "1").node("large", "vcore", "2").offline("large");
        cluster.submit("huge", "root.a", TaskSpec.single("t", CORE.times(2)));
        cluster.submit("small", "root.a", TaskSpec.single("t", CORE));
        assertThat(cluster.cycle()).isEmpty();

        cluster.cancel("huge");

        assertThat(cluster.cycle()).containsExactly("small/t -> n");
    }

    @Test
    void dynamicQueue_configuredLater_isKeptWhenEmpty(ClusterUnderTest cluster) {
        PlacementRule provided = new PlacementRule(PlacementRule.Kind.PROVIDED, "", true, null, RuleFilter.EVERYBODY);
        cluster.configure(partition(provided, QueueConfiguration.parent("root")));
        cluster.submit("app", "root.made", TaskSpec.single("t", CORE));
        assertThat(cluster.queue("root.made").isDynamic()).isTrue();

        cluster.configure(partition(provided, QueueConfiguration.parent("root", QueueConfiguration.leaf("made"))));
        cluster.cancel("app");

        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.queue("root.made").isDynamic()).isFalse();
    }

    // root
    // ├── a    load: never 0 % (a task of priority 9), served 100 %
    // └── b
    @Test
    void priority_inZeroPercentClass_doesNotPropagate(ClusterUnderTest cluster) {
        cluster.queues(QueueConfiguration.parent(
                "root",
                QueueConfiguration.of(
                        "a",
                        Resources.NONE,
                        Resources.NONE,
                        0,
                        load(0),
                        List.of(
                                QueueConfiguration.leaf("never")
                                        .withProperties(QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(0))),
                                QueueConfiguration.leaf("served")
                                        .withProperties(
                                                QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(100))))),
                QueueConfiguration.leaf("b")));
        cluster.node("n", "slots", "1");
        cluster.submit(
                "never", "root.a.never", TaskSpec.single("t", Resources.NONE).withPriority(9));
        cluster.submit("served", "root.a.served", TaskSpec.single("t", Resources.NONE));
        cluster.submit("b", "root.b", TaskSpec.single("t", Resources.NONE).withPriority(1));

        assertThat(cluster.cycle()).containsExactly("b/t -> n");
    }

    // root
    // └── a    load, rebalances: b 50 %, c 50 % (has everything)
    @Test
    void queue_removedWhileUnbalanced_leavesNoTimers(ClusterUnderTest cluster) {
        QueueConfiguration outOfBalance = QueueConfiguration.of(
                "a",
                Resources.NONE,
                Resources.NONE,
                0,
                load(40),
                List.of(
                        QueueConfiguration.leaf("b")
                                .withProperties(QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(50))),
                        QueueConfiguration.leaf("c")
                                .withProperties(QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(50)))));
        cluster.queues(QueueConfiguration.parent("root", outOfBalance)).node("n", "slots", "2");
        cluster.submitSealed("all", "root.a.c", TaskSpec.of("t", 2, Resources.NONE))
                .cycle();
        cluster.submit("none", "root.a.b", TaskSpec.single("t", Resources.NONE)).cycle();
        assertThat(cluster.queue("root.a").overThresholdSince()).isNotNull();

        cluster.succeedAll("all").cancel("none").queues(QueueConfiguration.parent("root"));

        assertThat(cluster.advance(Duration.ofMinutes(1)).cycle()).isEmpty();
    }

    // root    load, rebalances: a 50 %, b 50 %
    @Test
    void tasks_beyondThrottle_areNotPreemptedInVain(ClusterUnderTest cluster) {
        QueueProperties half = QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(50));
        cluster.queues(QueueConfiguration.of(
                        "root",
                        Resources.NONE,
                        Resources.NONE,
                        0,
                        load(10),
                        List.of(
                                QueueConfiguration.leaf("a").withProperties(half),
                                QueueConfiguration.leaf("b").withProperties(half))))
                .nodes("n", 4, "slots", "1");
        cluster.submit("a", "root.a", TaskSpec.of("t", 4, Resources.NONE)).cycle();
        cluster.startAll().submit("b", "root.b", TaskSpec.of("t", 4, Resources.NONE));
        cluster.handle(new Command.SetThrottle("default", 2)).cycle();
        cluster.advance(Duration.ofMinutes(1)).cycle();
        assertThat(cluster.queue("root.a").allocatedTasks()).isEqualTo(4);

        cluster.succeed("a/t-0").succeed("a/t-1");
        assertThat(cluster.cycle()).as("the throttle is reached").containsExactly("b/t-0 -> n-3");
        assertThat(cluster.queue("root.a").allocatedTasks()).isEqualTo(1);
    }

    /** An application whose gang does not start in time fails in a cycle; what depends on it follows in that cycle. */
    @Test
    void dependents_ofHardGangThatTimesOut_startOrFail(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "1");
        cluster.submit(ApplicationSpec.sealed("gang", null, TaskSpec.of("t", 2, CORE))
                        .withGang(Gang.of(Map.of("t", 2)).withStyle(Gang.Style.HARD)))
                .submit(after("next", "gang", ApplicationCondition.SUCCEEDED))
                .submit(after("last", "next", ApplicationCondition.SUCCEEDED))
                .submit(after("cleanup", "gang", ApplicationCondition.FAILED))
                .submit(after("cancelled", "gang", ApplicationCondition.FAILED))
                .cancel("cancelled");

        assertThat(compareCycle(cluster.advance(Gang.TIMEOUT_DEFAULT))).containsExactly("cleanup/t -> n");

        assertThat(cluster.state("next")).isEqualTo(ApplicationState.FAILED);
        assertThat(cluster.state("last")).isEqualTo(ApplicationState.FAILED);
    }

    private static ApplicationSpec after(String id, String awaited, ApplicationCondition condition) {
        return ApplicationSpec.sealed(id, null, TaskSpec.single("t", CORE))
                .withStart(StartConditions.NONE.withAfter(Map.of(awaited, condition)));
    }

    // root              load
    // ├── a    50 %     usage, by random draws only
    // │   └── x         a gang of three, more than the planned starts of a
    // └── b    50 %     two tasks, of which one fits
    @Test
    void gang_overPlannedStarts_startsOnceTasksAreGivenOutSingly(ClusterUnderTest cluster) {
        QueueProperties half = QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(50));
        UsageProperties draws = new UsageProperties(Duration.ofMinutes(20), true, 1_000_000, 1);
        QueueConfiguration a = QueueConfiguration.parent("a", QueueConfiguration.leaf("x"))
                .withProperties(half.withSharePolicy(SharePolicyKind.USAGE).withUsage(draws));
        cluster.queues(QueueConfiguration.parent(
                                "root", a, QueueConfiguration.leaf("b").withProperties(half))
                        .withProperties(load(0)))
                .node("large", "vcore", "3")
                .node("small", Map.of("size", "small"), "vcore", "1");
        cluster.submit(ApplicationSpec.sealed("gang", "root.a.x", TaskSpec.of("t", 3, CORE))
                .withGang(Gang.of(Map.of("t", 3))));
        cluster.submit(
                "b",
                "root.b",
                TaskSpec.of("t", 2, CORE)
                        .withConstraints(Constraints.ofSelector(new TreeMap<>(Map.of("size", "small")))));

        assertThat(compareCycle(cluster))
                .containsExactly("b/t-0 -> small", "gang/t-0 -> large", "gang/t-1 -> large", "gang/t-2 -> large");
    }

    /** Runs one cycle, which the reference implementation must decide alike; returns its placements. */
    private static List<String> compareCycle(ClusterUnderTest cluster) {
        List<String> expected = ReferenceCycle.run(cluster.partition(), cluster.now());
        List<String> placements = cluster.cycle();
        assertThat(cluster.events()).extracting(ReferenceCycle::text).isEqualTo(expected);
        return placements;
    }

    private static QueueProperties load(int threshold) {
        return QueueProperties.DEFAULTS
                .withSharePolicy(SharePolicyKind.LOAD)
                .withLoad(new LoadProperties(null, threshold, Duration.ofMinutes(1)));
    }

    private static PartitionConfiguration partition(PlacementRule rule, QueueConfiguration root) {
        return new PartitionConfiguration(
                PartitionConfiguration.DEFAULT_NAME,
                root,
                List.of(rule),
                NodeSortPolicy.FAIR,
                PartitionConfiguration.DEFAULT_WEIGHTS,
                true);
    }
}
