package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Parents that share by decayed usage. */
@ExtendWith(SchedulerExtension.class)
class UsageShareTest {

    private static final Duration HALFTIME = Duration.ofMinutes(20);

    private static QueueConfiguration queue(String name, double factor, QueueConfiguration... children) {
        QueueProperties properties = QueueProperties.DEFAULTS
                .withSharePolicy(children.length == 0 ? SharePolicyKind.FAIR : SharePolicyKind.USAGE)
                .withUsage(new UsageProperties(HALFTIME, false, 1000, factor));
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, List.of(children));
    }

    private static QueueConfiguration root(QueueConfiguration... children) {
        return queue("root", 1, children);
    }

    private static TaskSpec tasks(int count, String... resources) {
        return TaskSpec.of("t", count, Resources.parse(resources));
    }

    private static void use(ClusterUnderTest cluster, String queue, double priority) {
        cluster.handle(new Command.SetUsagePriority("default", queue, priority));
    }

    private static UsageFigures figures(ClusterUnderTest cluster, String queue) {
        return figures(cluster, queue, cluster.now());
    }

    private static UsageFigures figures(ClusterUnderTest cluster, String queue, Instant now) {
        return (UsageFigures)
                Objects.requireNonNull(cluster.scheduler().scheduler().figuresOf("default", cluster.queue(queue), now));
    }

    private static double priority(ClusterUnderTest cluster, String queue) {
        return cluster.partition().usage().priority(cluster.queue(queue), cluster.now());
    }

    /** One half-life after the last cycle half of the priority is left, whether or not anything happened since. */
    @Test
    void figures_laterInstant_hasDecayedPriority(ClusterUnderTest cluster) {
        cluster.queues(root(queue("a", 1), queue("b", 1))).node("n", "vcore", "4");
        cluster.handle(new Command.SetUsagePriority("default", "root.a", 8.0)).cycle();
        Instant begin = cluster.now();
        cluster.advance(Duration.ofMinutes(20));

        UsageFigures figures = figures(cluster, "root.a");

        assertThat(figures.usagePriority()).isCloseTo(4.0, within(1e-9));
        assertThat(figures.effectivePriority()).isCloseTo(4.0, within(1e-9));
        assertThat(figures(cluster, "root.a", begin).usagePriority()).isEqualTo(8.0);
    }

    /** Armada, priority calculation: 10 cores, 20 GB, 5 GPUs; 5 cores, 2 GB and 1 GPU are a usage of 8. */
    @Test
    void usage_ofSeveralResources_isInCores(ClusterUnderTest cluster) {
        cluster.queues(root(queue("a", 1)))
                .node("n", "vcore", "10", "memory", "20G", "gpu", "5")
                .submit("x", "root.a", tasks(1, "vcore", "5", "memory", "2G", "gpu", "1"))
                .cycle();
        assertThat(cluster.partition().usage().of(cluster.queue("root.a").allocated()))
                .isEqualTo(8.0, within(1e-9));
    }

    @Test
    void resource_withoutNodes_countsZero(ClusterUnderTest cluster) {
        cluster.queues(root(queue("a", 1), queue("b", 1)))
                .node("n", "vcore", "10")
                .submit("x", "root.a", tasks(1, "vcore", "1", "fpga", "1"))
                .submit("y", "root.b", tasks(4, "vcore", "1"));
        assertThat(cluster.cycle()).hasSize(4);
        assertThat(figures(cluster, "root.a").fraction()).isEqualTo(0.5);
    }

    /** Armada, priority calculation: priorities 1 and 2 get two thirds and one third. */
    @Test
    void slices_withoutUsage_followInversePriority(ClusterUnderTest cluster) {
        cluster.queues(root(queue("a", 1), queue("b", 1))).node("n", "vcore", "9");
        use(cluster, "root.a", 1);
        use(cluster, "root.b", 2);
        cluster.submit("x", "root.a", tasks(20, "vcore", "1")).submit("y", "root.b", tasks(20, "vcore", "1"));
        cluster.cycle();
        assertThat(cluster.queue("root.a").allocatedTasks()).isEqualTo(6);
        assertThat(cluster.queue("root.b").allocatedTasks()).isEqualTo(3);
        assertThat(figures(cluster, "root.a").fraction()).isEqualTo(2.0 / 3, within(1e-12));
        assertThat(figures(cluster, "root.a").slice().amount("vcore").value()).isEqualTo(6000);
    }

    @Test
    void priority_afterOneHalfLife_isHalfWay(ClusterUnderTest cluster) {
        cluster.queues(root(queue("a", 1)))
                .node("n", "vcore", "8")
                .submit("x", "root.a", tasks(8, "vcore", "1"))
                .cycle();
        assertThat(priority(cluster, "root.a")).isZero();
        cluster.advance(HALFTIME);
        assertThat(priority(cluster, "root.a")).isEqualTo(4.0, within(1e-9));
        cluster.advance(HALFTIME);
        assertThat(priority(cluster, "root.a")).isEqualTo(6.0, within(1e-9));
        cluster.startAll().succeedAll("x").advance(HALFTIME);
        assertThat(priority(cluster, "root.a")).isEqualTo(3.0, within(1e-9));
    }

    @Test
    void slice_tooSmallForTask_leavesItToDraw(ClusterUnderTest cluster) {
        cluster.queues(root(queue("a", 1), queue("b", 1)))
                .node("n", "vcore", "4")
                .submit("x", "root.a", tasks(9, "vcore", "3"))
                .submit("y", "root.b", tasks(9, "vcore", "3"));
        assertThat(cluster.cycle()).hasSize(1);
    }
}
