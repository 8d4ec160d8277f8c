package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timeouts that tasks inherit from their queues. */
@ExtendWith(SchedulerExtension.class)
class TimeoutTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));
    private static final String TREE = """
            root timeout(PT1H)
            ├─ inheriting
            │  └─ leaf
            └─ quick timeout(PT1M)
               └─ leaf
            """;

    @ParameterizedTest
    @CsvSource({
        "root.inheriting.leaf, none, 3600",
        "root.quick.leaf, none, 60",
        "root.quick.leaf, 5, 5",
        "root.quick.leaf, 7200, 7200",
    })
    void task_exceedingNearestTimeout_isStopped(String queue, String own, int seconds, ClusterUnderTest cluster) {
        Duration timeout = own.equals("none") ? null : Duration.ofSeconds(Long.parseLong(own));
        cluster.queues(QueueTreeText.of(TREE)).node("n", "vcore", "1");
        cluster.submitSealed("a", queue, TASK.withAttempts(0, timeout)).cycle();
        cluster.startAll();

        cluster.advance(Duration.ofSeconds(seconds).minusNanos(1)).cycle();
        assertThat(cluster.placed().get(0).state()).isEqualTo(TaskState.RUNNING);
        cluster.advance(Duration.ofNanos(1)).cycle();

        assertThat(cluster.placed().get(0).stopReason()).isEqualTo(StopReason.TIMEOUT);
    }

    @Test
    void task_withoutTimeout_isNeverStopped(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root\n└─ leaf")).node("n", "vcore", "1");
        cluster.submitSealed("a", "root.leaf", TASK).cycle();
        cluster.startAll().advance(Duration.ofDays(1000)).cycle();

        assertThat(cluster.placed().get(0).state()).isEqualTo(TaskState.RUNNING);
        assertThat(cluster.placed().get(0).timeout()).isNull();
    }

    @Test
    void queueTimeout_changed_appliesFromNextRun(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root timeout(PT1H)\n└─ leaf")).node("n", "vcore", "1");
        cluster.submitSealed("a", "root.leaf", TASK.withAttempts(1, null)).cycle();
        cluster.startAll();

        cluster.queues(QueueTreeText.of("root timeout(PT1M)\n└─ leaf"));
        cluster.advance(Duration.ofMinutes(59)).cycle();
        assertThat(cluster.placed().get(0).state()).isEqualTo(TaskState.RUNNING);

        cluster.fail("a/t").cycle();
        cluster.startAll().advance(Duration.ofMinutes(1)).cycle();
        assertThat(cluster.placed().get(0).stopReason()).isEqualTo(StopReason.TIMEOUT);
    }
}
