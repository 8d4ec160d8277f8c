package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Parents that share by usage above and below parents with other share policies. */
@ExtendWith(SchedulerExtension.class)
class UsageMixtureTest {

    private static TaskSpec tasks(int count, String... resources) {
        return TaskSpec.of("t", count, Resources.parse(resources));
    }

    private static void use(ClusterUnderTest cluster, String queue, double priority) {
        cluster.handle(new Command.SetUsagePriority("default", queue, priority));
    }

    private static int placed(ClusterUnderTest cluster, String queue) {
        return cluster.queue(queue).allocatedTasks();
    }

    private static void submitTo(ClusterUnderTest cluster, String queue, TaskSpec tasks) {
        cluster.submit("in-" + queue, "root." + queue, tasks);
    }

    private static UsageFigures figures(ClusterUnderTest cluster, String queue) {
        return (UsageFigures) Objects.requireNonNull(
                cluster.scheduler().scheduler().figuresOf("default", cluster.queue(queue), cluster.now()));
    }

    private static final String USAGE_BELOW_LOAD = """
            root load
            ├─ p percent(60) usage
            │  ├─ a
            │  └─ b
            └─ q percent(40) usage
               ├─ c
               └─ d
            """;

    // root (load)
    //  ├─ p 60 % (usage)
    //  │  ├─ a  used 1: two thirds of 12
    //  │  └─ b  used 2: one third
    //  └─ q 40 % (usage)
    //     ├─ c  used 3: one quarter of 8
    //     └─ d  used 1: three quarters
    private static void submitBelowLoad(ClusterUnderTest cluster, TaskSpec tasks) {
        use(cluster, "root.p.a", 1);
        use(cluster, "root.p.b", 2);
        use(cluster, "root.q.c", 3);
        use(cluster, "root.q.d", 1);
        for (String queue : new String[] {"p.a", "p.b", "q.c", "q.d"}) {
            submitTo(cluster, queue, tasks);
        }
    }

    private static void checkBelowLoad(ClusterUnderTest cluster) {
        assertThat(placed(cluster, "root.p")).isEqualTo(12);
        assertThat(placed(cluster, "root.q")).isEqualTo(8);
        assertThat(placed(cluster, "root.p.a")).isEqualTo(8);
        assertThat(placed(cluster, "root.p.b")).isEqualTo(4);
        assertThat(placed(cluster, "root.q.c")).isEqualTo(2);
        assertThat(placed(cluster, "root.q.d")).isEqualTo(6);
    }

    @Test
    void usage_belowLoad_dividesWorkersOfClass(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(USAGE_BELOW_LOAD)).nodes("w", 20, "slots", "1");
        submitBelowLoad(cluster, tasks(40));
        cluster.cycle();
        checkBelowLoad(cluster);
    }

    @Test
    void usage_belowLoadWithoutSlots_dividesWorkersOfClass(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(USAGE_BELOW_LOAD)).nodes("w", 5, "vcore", "4");
        submitBelowLoad(cluster, tasks(40, "vcore", "1"));
        cluster.cycle();
        checkBelowLoad(cluster);
    }

    // root (usage)
    //  ├─ p  used 1: two thirds of 18
    //  │  ├─ a
    //  │  └─ b
    //  └─ q  used 2: one third
    @Test
    void fair_belowUsage_dividesSlice(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                        root usage
                        ├─ p
                        │  ├─ a
                        │  └─ b
                        └─ q
                        """)).nodes("w", 3, "vcore", "6");
        use(cluster, "root.p", 1);
        use(cluster, "root.q", 2);
        for (String queue : new String[] {"p.a", "p.b", "q"}) {
            submitTo(cluster, queue, tasks(40, "vcore", "1"));
        }
        cluster.cycle();
        assertThat(placed(cluster, "root.p.a")).isEqualTo(6);
        assertThat(placed(cluster, "root.p.b")).isEqualTo(6);
        assertThat(placed(cluster, "root.q")).isEqualTo(6);
    }

    // root (usage)
    //  ├─ p (load)  used 1: two thirds of 30 workers
    //  │  ├─ a 70 %
    //  │  └─ b 30 %
    //  └─ q         used 2: one third
    private static void loadBelowUsage(ClusterUnderTest cluster, TaskSpec tasks) {
        use(cluster, "root.p", 1);
        use(cluster, "root.q", 2);
        for (String queue : new String[] {"p.a", "p.b", "q"}) {
            submitTo(cluster, queue, tasks);
        }
        cluster.cycle();
        assertThat(placed(cluster, "root.p.a")).isEqualTo(14);
        assertThat(placed(cluster, "root.p.b")).isEqualTo(6);
        assertThat(placed(cluster, "root.q")).isEqualTo(10);
    }

    private static final String LOAD_BELOW_USAGE = """
            root usage
            ├─ p load
            │  ├─ a percent(70)
            │  └─ b percent(30)
            └─ q
            """;

    @Test
    void load_belowUsage_dividesSlice(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(LOAD_BELOW_USAGE)).nodes("w", 30, "slots", "1");
        loadBelowUsage(cluster, tasks(40));
    }

    @Test
    void load_belowUsageWithoutSlots_dividesSlice(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(LOAD_BELOW_USAGE)).nodes("w", 10, "vcore", "3");
        loadBelowUsage(cluster, tasks(40, "vcore", "1"));
    }

    // root (usage)
    //  ├─ p (usage)  used 1: two thirds of 18
    //  │  ├─ a       used 3: one quarter of 12
    //  │  └─ b       used 1: three quarters
    //  └─ q          used 2: one third
    @Test
    void usage_belowUsage_dividesSlice(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                        root usage
                        ├─ p usage
                        │  ├─ a
                        │  └─ b
                        └─ q
                        """)).nodes("w", 3, "vcore", "6");
        use(cluster, "root.p", 1);
        use(cluster, "root.p.a", 3);
        use(cluster, "root.p.b", 1);
        use(cluster, "root.q", 2);
        for (String queue : new String[] {"p.a", "p.b", "q"}) {
            submitTo(cluster, queue, tasks(40, "vcore", "1"));
        }
        cluster.cycle();
        assertThat(placed(cluster, "root.p.a")).isEqualTo(3);
        assertThat(placed(cluster, "root.p.b")).isEqualTo(9);
        assertThat(placed(cluster, "root.q")).isEqualTo(6);
        assertThat(figures(cluster, "root.p.b").slice().amount("vcore").value()).isEqualTo(9000);
    }

    // root (fair)
    //  ├─ p (usage)  the same share as q
    //  │  ├─ a       used 2: one third
    //  │  └─ b       used 1: two thirds
    //  └─ q
    @Test
    void usage_belowFair_alternatesWithSibling(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                        root
                        ├─ p usage
                        │  ├─ a
                        │  └─ b
                        └─ q
                        """)).nodes("w", 3, "vcore", "6");
        use(cluster, "root.p.a", 2);
        use(cluster, "root.p.b", 1);
        for (String queue : new String[] {"p.a", "p.b", "q"}) {
            submitTo(cluster, queue, tasks(40, "vcore", "1"));
        }
        cluster.cycle();
        assertThat(placed(cluster, "root.p")).isEqualTo(9);
        assertThat(placed(cluster, "root.q")).isEqualTo(9);
        assertThat(figures(cluster, "root.p.b").fraction()).isEqualTo(2.0 / 3, within(1e-12));
    }

    // root (usage)
    //  ├─ p (load)
    //  │  ├─ a 80 %
    //  │  └─ b 20 %
    //  └─ q
    @Test
    void load_belowUsageTasksExceedSlice_keepsDivision(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                        root usage
                        ├─ p load
                        │  ├─ a percent(80)
                        │  └─ b percent(20)
                        └─ q
                        """)).nodes("w", 5, "vcore", "4");
        submitTo(cluster, "p.a", tasks(40, "vcore", "4"));
        submitTo(cluster, "p.b", tasks(40, "vcore", "4"));
        submitTo(cluster, "q", tasks(1, "vcore", "4"));
        cluster.cycle();
        // of 20 workers the slice is 10, of which a may take 8; two tasks fit in the slice of 10 cores, the rest is
        // drawn
        assertThat(placed(cluster, "root.q")).isEqualTo(1);
        assertThat(placed(cluster, "root.p.a")).isEqualTo(4);
        assertThat(placed(cluster, "root.p.b")).isZero();
    }
}
