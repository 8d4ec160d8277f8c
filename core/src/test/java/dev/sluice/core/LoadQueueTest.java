package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.state.Queue;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parents that share by load, and the order of applications in a load class. */
@ExtendWith(SchedulerExtension.class)
class LoadQueueTest {

    private static QueueProperties properties(SharePolicyKind share, int percent) {
        return QueueProperties.DEFAULTS
                .withApplicationSortPolicy(ApplicationSortPolicy.FEWEST_RUNNING)
                .withSharePolicy(share)
                .withLoad(LoadProperties.ofClass(percent));
    }

    private static QueueConfiguration classOf(String name, int percent, QueueConfiguration... children) {
        SharePolicyKind share = children.length == 0 ? SharePolicyKind.FAIR : SharePolicyKind.LOAD;
        return QueueConfiguration.of(
                name, Resources.NONE, Resources.NONE, 0, properties(share, percent), List.of(children));
    }

    private static QueueConfiguration load(String name, QueueConfiguration... children) {
        return classOf(name, 0, children);
    }

    private static TaskSpec tasks(int count) {
        return TaskSpec.of("t", count, Resources.NONE);
    }

    private static @Nullable LoadClassShare figures(ClusterUnderTest cluster, String queue) {
        return (LoadClassShare)
                cluster.scheduler().scheduler().figuresOf("default", cluster.queue(queue), cluster.now());
    }

    private static long placed(ClusterUnderTest cluster, String queue) {
        return cluster.queue(queue).allocatedTasks();
    }

    // root (load)
    //  ├─ land 60 %
    //  ├─ diff 40 %
    //  └─ none  0 %
    @Test
    void classes_allWaiting_getTheirPercentages(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("land", 60), classOf("diff", 40), classOf("none", 0)))
                .nodes("w", 10, "slots", "1")
                .submit("a", "root.land", tasks(20))
                .submit("b", "root.diff", tasks(20))
                .submit("c", "root.none", tasks(20))
                .cycle();
        assertThat(placed(cluster, "root.land")).isEqualTo(6);
        assertThat(placed(cluster, "root.diff")).isEqualTo(4);
        assertThat(placed(cluster, "root.none")).isZero();
        assertThat(new Explainer(cluster.partition()).explain(cluster.application("c")))
                .singleElement()
                .extracting(PendingSummary::reason)
                .isEqualTo(new WaitReason.ClassNotServed("root.none"));
    }

    @Test
    void unusedWorkers_ofClass_areLoaned(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("land", 60), classOf("diff", 40)))
                .nodes("w", 10, "slots", "1")
                .submit("b", "root.diff", tasks(20))
                .cycle();
        assertThat(placed(cluster, "root.diff")).isEqualTo(10);
    }

    @Test
    void class_tasksFitNoNode_leavesWorkersToOthers(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("land", 60), classOf("diff", 40)))
                .nodes("w", 10, "slots", "1")
                .submit("a", "root.land", TaskSpec.of("t", 20, Resources.parse("gpu", "1")))
                .submit("b", "root.diff", tasks(20))
                .cycle();
        assertThat(placed(cluster, "root.diff")).isEqualTo(10);
    }

    // root (load)
    //  ├─ ci 50 % (load)
    //  │   ├─ land 50 %
    //  │   └─ diff 50 %
    //  └─ batch 50 %
    @Test
    void nestedClasses_belowClass_shareItsWorkers(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("ci", 50, classOf("land", 50), classOf("diff", 50)), classOf("batch", 50)))
                .nodes("w", 20, "slots", "1")
                .submit("a", "root.ci.land", tasks(30))
                .submit("b", "root.ci.diff", tasks(30))
                .submit("c", "root.batch", tasks(30))
                .cycle();
        assertThat(placed(cluster, "root.ci")).isEqualTo(10);
        assertThat(placed(cluster, "root.batch")).isEqualTo(10);
        assertThat(placed(cluster, "root.ci.land")).isEqualTo(5);
        assertThat(placed(cluster, "root.ci.diff")).isEqualTo(5);
    }

    @Test
    void application_withManyTasks_cannotMonopolizeClass(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("land", 100)))
                .nodes("w", 4, "slots", "1")
                .submit("many", "root.land", tasks(100))
                .advance(Duration.ofSeconds(1))
                .submit("few", "root.land", tasks(2));
        assertThat(cluster.cycle())
                .containsExactly("many/t-0 -> w-0", "few/t-0 -> w-1", "many/t-1 -> w-2", "few/t-1 -> w-3");
    }

    @Test
    void classes_allNodesLost_startOnNewNodes(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("a", 60), classOf("b", 40))).nodes("n", 2, "slots", "2");
        cluster.submit("x", "root.a", tasks(9)).submit("y", "root.b", tasks(9));
        assertThat(cluster.cycle()).hasSize(4);

        assertThat(cluster.lost("n-0").lost("n-1").cycle()).isEmpty();
        assertThat(figures(cluster, "root.a")).matches(load -> load != null && load.entitlement() == 0);

        assertThat(cluster.advance(Duration.ofMinutes(1)).cycle()).isEmpty();
        assertThat(cluster.node("m", "slots", "5").cycle()).hasSize(5);
        assertThat(placed(cluster, "root.a")).isEqualTo(3);
    }

    @Test
    void queue_addedAfterLastCycle_hasNoLoadFigures(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("a", 60), classOf("b", 40)))
                .nodes("n", 2, "slots", "2")
                .cycle();
        cluster.queues(load("root", classOf("a", 60), load("c", classOf("d", 1)), classOf("e", 1), classOf("f", 1)));
        Scheduler scheduler = cluster.scheduler().scheduler();

        for (Queue queue : cluster.partition().queues().all()) {
            scheduler.figuresOf("default", queue, cluster.now());
        }
        assertThat(figures(cluster, "root.c")).isNull();
        assertThat(figures(cluster, "root.c.d")).isNull();
        assertThat(scheduler.dividedBy("default", cluster.queue("root.c"))).isNull();
        assertThat(scheduler.dividedBy("default", cluster.queue("root"))).isNotNull();

        cluster.cycle();
        assertThat(scheduler.dividedBy("default", cluster.queue("root.c"))).isNotNull();
    }

    private static TaskSpec cores(int count, String cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", cores));
    }

    @Test
    void fractionalCoreTasks_nodesWithoutSlots_fillNodes(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("land", 60), classOf("diff", 40)))
                .node("n", "vcore", "2")
                .submit("b", "root.diff", cores(8, "250m"));
        assertThat(cluster.cycle()).hasSize(8);
    }

    @Test
    void nodesWithSlots_full_takeNoMoreTasks(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("land", 60), classOf("diff", 40)))
                .node("n", "vcore", "2", "slots", "3")
                .node("m", "vcore", "1")
                .submit("b", "root.diff", cores(20, "250m"));
        assertThat(cluster.cycle()).hasSize(3 + 4);
    }

    // 4 workers by whole cores, capacity for 16 tasks: 16 × 60 %, 30 % and 10 %
    @Test
    void capacityBeyondWholeCores_goesToLowestRunningByLoad(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("a", 60), classOf("b", 30), classOf("c", 10)))
                .node("n", "vcore", "4")
                .submit("x", "root.a", cores(20, "250m"))
                .submit("y", "root.b", cores(20, "250m"))
                .submit("z", "root.c", cores(20, "250m"));
        assertThat(cluster.cycle()).hasSize(16);
        assertThat(placed(cluster, "root.a")).isEqualTo(9);
        assertThat(placed(cluster, "root.b")).isEqualTo(5);
        assertThat(placed(cluster, "root.c")).isEqualTo(2);
    }

    // root (load)
    //  ├─ ci 50 % (load)
    //  │   ├─ land 50 %
    //  │   └─ diff 50 %
    //  └─ batch 50 %, whose tasks need more than is free
    @Test
    void workers_unusableByClass_reachNestedClasses(ClusterUnderTest cluster) {
        cluster.queues(load("root", classOf("ci", 50, classOf("land", 50), classOf("diff", 50)), classOf("batch", 50)))
                .node("n", "slots", "20", "memory", "10")
                .submit("b", "root.batch", TaskSpec.of("t", 20, Resources.parse("memory", "4")))
                .submit("l", "root.ci.land", tasks(30))
                .cycle();
        assertThat(placed(cluster, "root.batch")).isEqualTo(2);
        assertThat(placed(cluster, "root.ci")).isEqualTo(18);
    }

    @Test
    void unstartableTasks_ofClass_areNotDemand(ClusterUnderTest cluster) {
        QueueConfiguration limited = QueueConfiguration.of(
                "land",
                Resources.NONE,
                Resources.parse("slots", "2"),
                0,
                properties(SharePolicyKind.FAIR, 60),
                List.of());
        cluster.queues(load("root", limited, classOf("diff", 30), classOf("rest", 10)))
                .nodes("w", 10, "slots", "1")
                .submit("l", "root.land", tasks(20))
                .submit("g", "root.diff", TaskSpec.of("g", 5, Resources.parse("gpu", "1")), tasks(3))
                .submit("r", "root.rest", tasks(20))
                .cycle();
        assertThat(figures(cluster, "root.land"))
                .matches(load -> load != null && load.waiting() == 2 && load.start() == 2);
        assertThat(figures(cluster, "root.diff"))
                .matches(load -> load != null && load.waiting() == 3 && load.start() == 3);
        assertThat(placed(cluster, "root.rest")).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', '', FEWEST_RUNNING",
        "'', '', stateaware, STATE_AWARE",
        "'', fifo, '', FIFO",
        "fair, '', '', FAIR",
        "fair, '', fewestrunning, FEWEST_RUNNING",
    })
    void loadClass_withoutSortPolicy_usesFewestRunning(
            String root, String parent, String leaf, ApplicationSortPolicy expected, ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root         %s
                ├─ ci        load %s
                │  ├─ land   percent(60) %s
                │  └─ nested percent(40)
                │     └─ x
                └─ other
                """.formatted(root, parent, leaf)));
        assertThat(cluster.queue("root.ci.land").sortPolicy()).isEqualTo(expected);
        ApplicationSortPolicy inherited =
                !parent.isEmpty() || root.isEmpty() ? ApplicationSortPolicy.FIFO : ApplicationSortPolicy.FAIR;
        assertThat(cluster.queue("root.ci.nested.x").sortPolicy())
                .as("a leaf that is not a class itself")
                .isEqualTo(inherited);
        assertThat(cluster.queue("root.other").sortPolicy())
                .isEqualTo(root.isEmpty() ? ApplicationSortPolicy.FIFO : ApplicationSortPolicy.FAIR);
    }

    @Test
    void loadClass_withoutSortPolicy_sharesWorkersAmongApplications(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                        root       load
                        └─ land    percent(100)
                        """))
                .nodes("w", 4, "slots", "1")
                .submit("a", "root.land", tasks(9))
                .submit("b", "root.land", tasks(9))
                .cycle();
        assertThat(cluster.application("a").placed()).isEqualTo(2);
        assertThat(cluster.application("b").placed()).isEqualTo(2);
    }
}
