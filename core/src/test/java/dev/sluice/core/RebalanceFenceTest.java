package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Load classes whose tasks may not preempt others are no demand of a rebalance. */
@ExtendWith(SchedulerExtension.class)
class RebalanceFenceTest {

    private static final Duration MINIMUM = Duration.ofMinutes(4);

    private static TaskSpec tasks(int count) {
        return TaskSpec.of("t", count, Resources.NONE);
    }

    /** Ten workers, all loaned to diff. */
    private static ClusterUnderTest loaned(ClusterUnderTest cluster, String tree) {
        cluster.queues(QueueTreeText.of(tree))
                .nodes("w", 10, "slots", "1")
                .submit("d", "root.diff", tasks(10))
                .cycle();
        return cluster.startAll();
    }

    private static List<String> preempted(ClusterUnderTest cluster) {
        return cluster.events().stream()
                .filter(TaskEvent.Stopping.class::isInstance)
                .map(TaskEvent.Stopping.class::cast)
                .map(event -> event.application() + "/" + event.task().id())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fence", "disabled"})
    void class_thatMayNotPreempt_doesNotStartTheTimer(String policy, ClusterUnderTest cluster) {
        loaned(cluster, """
                root       load threshold(20)
                ├─ land    percent(60) preemption(%s)
                └─ diff    percent(40)
                """.formatted(policy));
        cluster.submit("l", "root.land", tasks(8)).cycle();

        assertThat(cluster.queue("root").overThresholdSince()).isNull();
    }

    @Test
    void parent_thatDisablesPreemption_doesNotStartTheTimer(ClusterUnderTest cluster) {
        loaned(cluster, """
                root       load threshold(20) preemption(disabled)
                ├─ land    percent(60)
                └─ diff    percent(40)
                """);
        cluster.submit("l", "root.land", tasks(8)).cycle();

        assertThat(cluster.queue("root").overThresholdSince()).isNull();
    }

    @Test
    void class_withFencedLeaf_countsTasksOfOthersOnly(ClusterUnderTest cluster) {
        loaned(cluster, """
                root          load threshold(20)
                ├─ land       percent(60)
                │  ├─ fenced  preemption(fence)
                │  └─ open
                └─ diff       percent(40)
                """);
        cluster.submit("f", "root.land.fenced", tasks(8)).cycle();
        assertThat(cluster.queue("root").overThresholdSince()).isNull();
        cluster.submit("o", "root.land.open", tasks(2)).cycle();
        assertThat(cluster.queue("root").overThresholdSince()).isEqualTo(cluster.now());
        cluster.advance(MINIMUM).cycle();

        assertThat(preempted(cluster)).containsExactly("d/t-9", "d/t-8");
    }

    /** The workers that it cannot take are divided among the others, as if it had no pending tasks. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void class_thatMayNotPreempt_isNoDemandInTheDivision(int pending, ClusterUnderTest cluster) {
        loaned(cluster, """
                root       load threshold(20)
                ├─ land    percent(40) preemption(fence)
                ├─ diff    percent(30)
                └─ sky     percent(30)
                """);
        if (pending > 0) {
            cluster.submit("l", "root.land", tasks(pending));
        }
        cluster.submit("s", "root.sky", tasks(8)).cycle();
        cluster.advance(MINIMUM).cycle();

        assertThat(preempted(cluster)).containsExactly("d/t-9", "d/t-8", "d/t-7", "d/t-6", "d/t-5");
    }

    /** Workers that become idle are divided among all classes, its own up to its entitlement. */
    @Test
    void class_thatMayNotPreempt_startsOnIdleWorkers(ClusterUnderTest cluster) {
        loaned(cluster, """
                root       load threshold(20)
                ├─ land    percent(40) preemption(fence)
                ├─ diff    percent(30)
                └─ sky     percent(30)
                """);
        cluster.submit("l", "root.land", tasks(8))
                .submit("s", "root.sky", tasks(8))
                .cycle();
        cluster.advance(MINIMUM).succeed("d/t-0").succeed("d/t-1").cycle();

        assertThat(cluster.queue("root.land").allocatedTasks()).isEqualTo(2);
        assertThat(cluster.queue("root.sky").allocatedTasks()).isGreaterThanOrEqualTo(3);
        assertThat(cluster.queue("root.diff").allocatedTasks()).isGreaterThanOrEqualTo(3);
    }
}
