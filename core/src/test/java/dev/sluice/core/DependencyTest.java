package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Dependencies between tasks of an application: {@code after} started and succeeded, and conditions that cannot be met.
 */
@ExtendWith(SchedulerExtension.class)
class DependencyTest {

    @Test
    void task_afterStarted_waitsForStartReport(ClusterUnderTest cluster) {
        ready(cluster).submit("a", null, tasks("driver", "executor after driver started"));
        assertThat(cluster.cycle()).containsExactly("a/driver -> n");
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.pending("root").isZero()).isTrue();

        cluster.start("a/driver");

        assertThat(cluster.cycle()).containsExactly("a/executor -> n");
    }

    @Test
    void task_afterSucceeded_waitsForEnd(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, tasks("extract", "load after extract succeeded"));
        cluster.cycle();
        cluster.startAll();
        assertThat(cluster.cycle()).isEmpty();

        cluster.succeed("a/extract");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.STARTING);
        assertThat(cluster.cycle()).containsExactly("a/load -> n");
        cluster.succeed("a/load");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.COMPLETED);
    }

    @Test
    void task_succeededWithoutStartReport_countsAsStarted(ClusterUnderTest cluster) {
        ready(cluster).submit("a", null, tasks("driver", "executor after driver started"));
        cluster.cycle();

        cluster.succeed("a/driver");

        assertThat(cluster.cycle()).containsExactly("a/executor -> n");
    }

    @Test
    void task_afterGroup_waitsForAllItsTasks(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("a", null, tasks("part×3", "begun after part started", "done after part succeeded"));
        cluster.cycle();
        cluster.start("a/part-0").start("a/part-2");
        assertThat(cluster.cycle()).isEmpty();
        cluster.start("a/part-1");
        assertThat(cluster.cycle()).containsExactly("a/begun -> n");
        cluster.succeed("a/part-2").succeed("a/part-0");
        assertThat(cluster.cycle()).isEmpty();
        cluster.succeed("a/part-1");
        assertThat(cluster.cycle()).containsExactly("a/done -> n");
    }

    @Test
    void group_afterSeveralTasks_waitsForAll(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, tasks("x", "y", "z×2 after x succeeded, y started"));
        assertThat(cluster.cycle()).hasSize(2);
        cluster.start("a/y");
        assertThat(cluster.cycle()).isEmpty();
        cluster.succeed("a/x");
        assertThat(cluster.cycle()).containsExactly("a/z-0 -> n", "a/z-1 -> n");
    }

    @Test
    void task_afterStartedDependencyLost_staysPending(ClusterUnderTest cluster) {
        ready(cluster).updateNode("n", "vcore", "1");
        cluster.submitSealed("a", null, tasks("driver", "executor after driver started"));
        cluster.cycle();
        cluster.start("a/driver").lose("a/driver");

        assertThat(cluster.cycle()).containsExactly("a/driver -> n");
        assertThat(cluster.pending("root")).isEqualTo(Resources.parse("slots", "1", "vcore", "1"));
    }

    @Test
    void task_addedAfterSucceededDependency_isPendingAtOnce(ClusterUnderTest cluster) {
        ready(cluster).submit("a", null, tasks("first"));
        cluster.cycle();
        cluster.succeed("a/first");

        cluster.add("a", tasks("second after first succeeded"));

        assertThat(cluster.cycle()).containsExactly("a/second -> n");
    }

    @Test
    void task_addedAfterFailedDependency_isDropped(ClusterUnderTest cluster) {
        ready(cluster).submit("a", null, tasks("first", "other"));
        cluster.cycle();
        cluster.fail("a/first");

        cluster.add("a", tasks("second after first succeeded", "third after second started", "fourth"));

        assertThat(cluster.application("a").stopped()).isEqualTo(2);
        assertThat(cluster.cycle()).containsExactly("a/fourth -> n");
    }

    /**
     * a → b → c, a → d: if a fails for good, b and c are dropped; d, which only needs a to have started, continues.
     */
    @Test
    void dependents_ofFailedTask_areDroppedTransitively(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed(
                        "app",
                        null,
                        tasks(
                                "a",
                                "b after a succeeded",
                                "c×2 after b started",
                                "d after a started",
                                "e",
                                "f after e succeeded"));
        cluster.cycle();

        cluster.start("app/a").fail("app/a");

        assertThat(group(cluster, "b").stopped()).isEqualTo(1);
        assertThat(group(cluster, "c").stopped()).isEqualTo(2);
        assertThat(cluster.cycle()).as("a has started, so d may run").containsExactly("app/d -> n");
        cluster.succeed("app/d").succeed("app/e").cycle();
        cluster.succeed("app/f");
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void dependents_ofRetriedTask_keepWaiting(ClusterUnderTest cluster) {
        TaskSpec flaky = TaskSpec.single("flaky", Resources.parse("vcore", "1")).withAttempts(1, null);
        ready(cluster).submitSealed("a", null, flaky, tasks("next after flaky succeeded")[0]);
        cluster.cycle();

        cluster.fail("a/flaky").cycle();
        cluster.succeed("a/flaky");

        assertThat(cluster.cycle()).containsExactly("a/next -> n");
    }

    @Test
    void dependents_ofStoppedWaitingTask_areDropped(ClusterUnderTest cluster) {
        ready(cluster).submitSealed("a", null, tasks("x", "y after x succeeded", "z after y succeeded"));
        cluster.cycle();

        cluster.stop("a/y");

        assertThat(cluster.application("a").stopped()).isEqualTo(2);
        cluster.succeed("a/x");
        assertThat(cluster.state("a")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void dependents_ofDroppedGroup_areDroppedWithItsLastTask(ClusterUnderTest cluster) {
        ready(cluster)
                .submitSealed("app", null, tasks("x×2", "y after x started"))
                .stop("app/x-1");
        cluster.cycle();

        cluster.succeed("app/x-0");

        assertThat(group(cluster, "y").stopped()).isEqualTo(1);
        assertThat(cluster.state("app")).isEqualTo(ApplicationState.FAILED);
    }

    @Test
    void dependencyCycle_ofTasks_isRefusedWithNames(ClusterUnderTest cluster) {
        ready(cluster);

        Refusal refusal = refusal(
                cluster,
                "free",
                "outside after a started",
                "a after b succeeded",
                "b after c started",
                "c after free started, a started");

        assertThat(refusal.code()).isEqualTo(Refusal.Code.INVALID);
        assertThat(refusal.message()).isEqualTo("cyclic task dependencies: a → b → c → a");
        assertThat(cluster.partition().applications()).isEmpty();
    }

    @Test
    void task_dependingOnItself_isRefused(ClusterUnderTest cluster) {
        assertThat(refusal(ready(cluster), "a after a started").message()).isEqualTo("cyclic task dependencies: a → a");
    }

    @Test
    void task_withUnknownDependency_isRefusedWithNames(ClusterUnderTest cluster) {
        assertThat(refusal(ready(cluster), "a after b started").message())
                .isEqualTo("task a depends on b, which does not exist");
    }

    private static Refusal refusal(ClusterUnderTest cluster, String... lines) {
        return cluster.refusal(
                new Command.SubmitApplication("default", ApplicationSpec.sealed("bad", null, tasks(lines))));
    }

    /** {@code z×2 after x succeeded, y started}: two tasks of one core that depend on x and y. */
    private static TaskSpec[] tasks(String... lines) {
        return Arrays.stream(lines).map(DependencyTest::task).toArray(TaskSpec[]::new);
    }

    private static TaskSpec task(String line) {
        String[] parts = line.split(" after ", -1);
        String[] name = parts[0].split("×", -1);
        Map<String, TaskCondition> after = new LinkedHashMap<>();
        for (String condition : parts.length == 1 ? new String[0] : parts[1].split(", ", -1)) {
            String[] words = condition.split(" ", -1);
            after.put(words[0], words[1].equals("started") ? TaskCondition.STARTED : TaskCondition.SUCCEEDED);
        }
        int count = name.length == 1 ? TaskSpec.SINGLE : Integer.parseInt(name[1]);
        return TaskSpec.of(name[0], count, Resources.parse("vcore", "1")).withAfter(after);
    }

    private static TaskGroup group(ClusterUnderTest cluster, String name) {
        return Objects.requireNonNull(cluster.application("app").group(name));
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "8");
    }
}
