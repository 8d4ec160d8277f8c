package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the children of a parent that shares by decayed usage are due. */
@ExtendWith(SchedulerExtension.class)
class UsageDueTest {

    private static QueueConfiguration queue(String name, Resources max, QueueConfiguration... children) {
        QueueProperties properties = QueueProperties.DEFAULTS
                .withSharePolicy(children.length == 0 ? SharePolicyKind.FAIR : SharePolicyKind.USAGE)
                .withUsage(new UsageProperties(Duration.ofMinutes(20), false, 1000, name.equals("twice") ? 2 : 1));
        return QueueConfiguration.of(name, Resources.NONE, max, 0, properties, List.of(children));
    }

    private static QueueConfiguration queue(String name, QueueConfiguration... children) {
        return queue(name, Resources.NONE, children);
    }

    private static TaskSpec tasks(int count, String... resources) {
        return TaskSpec.of("t", count, Resources.parse(resources));
    }

    private static void use(ClusterUnderTest cluster, String queue, double priority) {
        cluster.handle(new Command.SetUsagePriority("default", queue, priority));
    }

    private static UsageFigures figures(ClusterUnderTest cluster, String queue) {
        return (UsageFigures) Objects.requireNonNull(
                cluster.scheduler().scheduler().figuresOf("default", cluster.queue(queue), cluster.now()));
    }

    private static Resources due(ClusterUnderTest cluster, String queue) {
        return figures(cluster, queue).due();
    }

    /** Armada, priority calculation: priorities 1 and 2 get two thirds and one third, of each resource. */
    @Test
    void due_withoutUsage_followsInversePriority(ClusterUnderTest cluster) {
        cluster.queues(queue("root", queue("a"), queue("b"))).node("n", "vcore", "9", "gpu", "3");
        use(cluster, "root.a", 1);
        use(cluster, "root.b", 2);
        cluster.submit("x", "root.a", tasks(20, "vcore", "1")).submit("y", "root.b", tasks(20, "vcore", "1"));
        cluster.cycle();
        assertThat(due(cluster, "root.a")).isEqualTo(Resources.parse("vcore", "6", "gpu", "2"));
        assertThat(due(cluster, "root.b")).isEqualTo(Resources.parse("vcore", "3", "gpu", "1"));
    }

    @Test
    void factors_areReported(ClusterUnderTest cluster) {
        cluster.queues(queue("root", queue("once"), queue("twice"))).node("n", "vcore", "9");
        use(cluster, "root.twice", 4);
        cluster.cycle();
        assertThat(figures(cluster, "root.once").factor()).isEqualTo(1);
        assertThat(figures(cluster, "root.twice").factor()).isEqualTo(2);
        assertThat(figures(cluster, "root.twice").effectivePriority()).isEqualTo(8);
    }

    /**
     * 12 cores: 4 of a and 2 of idle are in use, 6 are free. Equal priorities divide the 10 cores of a and b, not the
     * 12 of the partition and not the 6 that are free.
     */
    @Test
    void due_withUsage_dividesWhatParticipantsUse(ClusterUnderTest cluster) {
        cluster.queues(queue("root", queue("a"), queue("b"), queue("idle"))).node("n", "vcore", "12");
        cluster.submit("w", "root.a", tasks(4, "vcore", "1"))
                .submit("x", "root.idle", tasks(2, "vcore", "1"))
                .cycle();
        cluster.submit("y", "root.a", tasks(9, "vcore", "1")).submit("z", "root.b", tasks(9, "vcore", "1"));
        cluster.cycle();
        assertThat(due(cluster, "root.a")).isEqualTo(Resources.parse("vcore", "5"));
        assertThat(due(cluster, "root.b")).isEqualTo(Resources.parse("vcore", "5"));
        assertThat(figures(cluster, "root.a").slice()).isEqualTo(Resources.parse("vcore", "1"));
        assertThat(cluster.queue("root.a").allocatedTasks()).isEqualTo(5);
    }

    @Test
    void due_ofQueueWithoutPendingTasks_isNone(ClusterUnderTest cluster) {
        cluster.queues(queue("root", queue("a"), queue("b"))).node("n", "vcore", "4");
        cluster.submit("x", "root.a", tasks(1, "vcore", "1")).cycle();
        cluster.cycle();
        assertThat(due(cluster, "root.a")).isEqualTo(Resources.NONE);
        assertThat(figures(cluster, "root.a").fraction()).isZero();
    }

    /** Of 12 cores the parent may use 6, so equal children are due 3 each, and one with a smaller maximum that. */
    @Test
    void due_belowMaxima_isBounded(ClusterUnderTest cluster) {
        QueueConfiguration shared = queue(
                "shared",
                Resources.parse("vcore", "6"),
                queue("a"),
                queue("b", Resources.parse("vcore", "2")),
                queue("done"));
        cluster.queues(queue("root", Resources.NONE, shared)).node("n", "vcore", "12");
        cluster.submit("x", "root.shared.a", tasks(9, "vcore", "1"))
                .submit("y", "root.shared.b", tasks(9, "vcore", "1"))
                .cycle();
        assertThat(due(cluster, "root.shared.a")).isEqualTo(Resources.parse("vcore", "3"));
        assertThat(due(cluster, "root.shared.b")).isEqualTo(Resources.parse("vcore", "2"));
    }
}
