package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import dev.sluice.core.testing.TaskRefs;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that are suspended and resumed. */
@ExtendWith(SchedulerExtension.class)
class SuspendTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static ClusterUnderTest running(ClusterUnderTest cluster, TaskSpec... tasks) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
        cluster.submitSealed("a", null, tasks).cycle();
        return cluster.startAll();
    }

    private static List<TaskState> states(ClusterUnderTest cluster) {
        return cluster.placed().stream().map(Task::state).toList();
    }

    @Test
    void application_suspended_keepsResourcesAndStartsNothing(ClusterUnderTest cluster) {
        running(cluster, TaskSpec.of("t", 3, CORE));

        cluster.suspendTasks("a");

        assertThat(cluster.events()).hasOnlyElementsOfTypes(TaskEvent.Suspended.class, ApplicationEvent.Held.class);
        assertThat(states(cluster)).containsExactly(TaskState.SUSPENDED, TaskState.SUSPENDED);
        assertThat(cluster.allocated("root")).isEqualTo(Resources.parse("vcore", "2", "slots", "2"));
        assertThat(cluster.suspendTasks("a").events()).isEmpty();
        assertThat(cluster.succeed("a/t-0").cycle()).isEmpty();
        cluster.resumeTasks("a");
        assertThat(states(cluster)).containsExactly(TaskState.RUNNING);
        assertThat(cluster.resumeTasks("a").events()).isEmpty();
        assertThat(cluster.cycle()).containsExactly("a/t-2 -> n");
    }

    @Test
    void task_suspended_leavesOthersRunning(ClusterUnderTest cluster) {
        running(cluster, TaskSpec.of("t", 3, CORE)).suspendTasks("a/t-1");

        assertThat(states(cluster)).containsExactly(TaskState.RUNNING, TaskState.SUSPENDED);
        assertThat(cluster.application("a").isHeld()).isFalse();
        assertThat(cluster.succeed("a/t-0").cycle()).containsExactly("a/t-2 -> n");
        assertThat(cluster.suspendTasks("a/t-1").events()).isEmpty();
        assertThat(states(cluster.resumeTasks("a/t-1"))).containsExactly(TaskState.RUNNING, TaskState.STARTING);
    }

    @Test
    void timeout_whileSuspended_doesNotAdvance(ClusterUnderTest cluster) {
        running(cluster, TaskSpec.single("t", CORE).withAttempts(0, MINUTE.multipliedBy(3)));

        cluster.advance(MINUTE)
                .suspendTasks("a")
                .advance(MINUTE.multipliedBy(100))
                .cycle();
        cluster.resumeTasks("a").advance(MINUTE).cycle();
        cluster.suspendTasks("a").advance(MINUTE.multipliedBy(100)).resumeTasks("a");
        cluster.advance(MINUTE.minusNanos(1)).cycle();
        assertThat(states(cluster)).containsExactly(TaskState.RUNNING);
        cluster.advance(Duration.ofNanos(1)).cycle();

        assertThat(cluster.placed().get(0).stopReason()).isEqualTo(StopReason.TIMEOUT);
    }

    @Test
    void timeout_ofTaskSuspendedBeforeStart_beginsWhenResumed(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "2");
        cluster.submitSealed("a", null, TaskSpec.single("t", CORE).withAttempts(0, MINUTE))
                .cycle();

        cluster.suspendTasks("a").advance(MINUTE).start("a/t").advance(MINUTE).cycle();
        assertThat(states(cluster)).containsExactly(TaskState.SUSPENDED);
        cluster.resumeTasks("a").advance(MINUTE.minusNanos(1)).cycle();
        assertThat(states(cluster)).containsExactly(TaskState.RUNNING);
        cluster.advance(Duration.ofNanos(1)).cycle();

        assertThat(states(cluster)).containsExactly(TaskState.STOPPING);
    }

    @Test
    void duration_ofSuspendedRun_countsRunningTimeOnly(ClusterUnderTest cluster) {
        running(cluster, TaskSpec.single("t", CORE).withDurationKey("k"));
        cluster.advance(MINUTE).suspendTasks("a").advance(MINUTE.multipliedBy(100));
        cluster.resumeTasks("a").advance(MINUTE).succeed("a/t");

        cluster.submitSealed("b", null, TaskSpec.single("t", CORE).withDurationKey("k"));

        assertThat(cluster.application("b").groups().get(0).expectedDuration()).isEqualTo(MINUTE.multipliedBy(2));
    }

    @Test
    void suspendedTask_cancelled_stopsAndEnds(ClusterUnderTest cluster) {
        running(cluster, TaskSpec.single("t", CORE)).suspendTasks("a").cancel("a");

        assertThat(states(cluster)).containsExactly(TaskState.STOPPING);
        assertThat(refusal(cluster, "t").message()).isEqualTo("task t cannot be suspended: it is stopping");
        assertThat(cluster.fail("a/t").state("a")).isEqualTo(ApplicationState.FAILED);
    }

    private static Refusal refusal(ClusterUnderTest cluster, String... tasks) {
        return cluster.refusal(new Command.SuspendTasks(
                "default",
                "a",
                Arrays.stream(tasks)
                        .map(task -> TaskRefs.task("default", "a", task))
                        .toList()));
    }

    @Test
    void tasks_oneOfThemNotRunning_areAllLeft(ClusterUnderTest cluster) {
        running(cluster, TaskSpec.single("x", CORE), TaskSpec.single("y", CORE), TaskSpec.single("z", CORE));

        assertThat(refusal(cluster, "x", "z").message()).isEqualTo("task z cannot be suspended: it is not running");
        assertThat(refusal(cluster, "x", "other").code()).isEqualTo(Refusal.Code.NOT_FOUND);
        assertThat(states(cluster)).containsOnly(TaskState.RUNNING);
        cluster.succeed("a/y");
        assertThat(refusal(cluster, "x", "y").message()).isEqualTo("task y cannot be suspended: it has already ended");
    }
}
