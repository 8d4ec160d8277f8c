package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeEviction;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.Timer;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Taints of nodes, and the nodes that tasks prefer. */
@ExtendWith(SchedulerExtension.class)
class TaintTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final Taint GPU = new Taint("gpu", "yes", TaintEffect.NO_SCHEDULE);
    private static final Taint AVOID = new Taint("old", "", TaintEffect.PREFER_NO_SCHEDULE);
    private static final Taint DRAIN = new Taint("drain", "", TaintEffect.NO_EXECUTE);

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest());
    }

    private static Task task(ClusterUnderTest cluster, String name) {
        return cluster.placed().stream()
                .filter(task -> task.toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static TaskSpec tolerant(String name, String key, @Nullable Duration limit) {
        return TaskSpec.single(name, CORE)
                .withConstraints(Constraints.NONE.withTolerations(List.of(new Toleration(
                        key, Toleration.Operator.EXISTS, "", limit == null ? null : TaintEffect.NO_EXECUTE, limit))));
    }

    @Test
    void noSchedule_untolerated_keepsTasksAwayButNotRunningOnes(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "2").submit("early", null, TaskSpec.single("t", CORE));
        assertThat(cluster.cycle()).containsExactly("early/t -> a");

        cluster.taint("a", GPU).submit("plain", null, TaskSpec.single("t", CORE));
        cluster.submit("tolerant", null, tolerant("t", "gpu", null));

        assertThat(cluster.cycle()).containsExactly("tolerant/t -> a");
        assertThat(task(cluster, "early/t").state()).isEqualTo(TaskState.STARTING);
        cluster.succeed("early/t").taint("a");
        assertThat(cluster.cycle()).containsExactly("plain/t -> a");
    }

    @Test
    void preferNoSchedule_otherNodeFull_isUsedLast(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "2").node("b", "vcore", "1").taint("a", AVOID);
        cluster.submit("plain", null, TaskSpec.of("t", 2, CORE));

        assertThat(cluster.cycle()).containsExactly("plain/t-0 -> b", "plain/t-1 -> a");
    }

    /** Weights add up; equal ranks are ordered by the node sort policy. */
    @Test
    void preferences_severalNodes_highestSumFirst(ClusterUnderTest cluster) {
        ready(cluster)
                .node("a", "vcore", "1")
                .node("b", Map.of("disk", "ssd"), "vcore", "1")
                .node("c", Map.of("disk", "ssd", "zone", "x"), "vcore", "1")
                .node("d", Map.of("disk", "ssd", "zone", "x"), "vcore", "4")
                .node("e", Map.of("zone", "x"), "vcore", "1");
        TaskSpec task = TaskSpec.of("t", 8, CORE)
                .withConstraints(Constraints.NONE.withNodeAffinity(
                        new NodeAffinity(List.of(), List.of(prefer(10, "disk", "ssd"), prefer(5, "zone", "x")))));
        cluster.submit("app", null, task);

        assertThat(cluster.cycle())
                .containsExactly(
                        "app/t-0 -> c",
                        "app/t-1 -> d",
                        "app/t-2 -> d",
                        "app/t-3 -> d",
                        "app/t-4 -> d",
                        "app/t-5 -> b",
                        "app/t-6 -> e",
                        "app/t-7 -> a");
    }

    @Test
    void preferences_moreThanTheMaximum_areRefused(ClusterUnderTest cluster) {
        List<NodePreference> preferences = Collections.nCopies(101, prefer(1, "disk", "ssd"));
        TaskSpec task = TaskSpec.single("t", CORE)
                .withConstraints(Constraints.NONE.withNodeAffinity(new NodeAffinity(List.of(), preferences)));

        assertThat(ready(cluster)
                        .refusal(new Command.SubmitApplication("default", ApplicationSpec.sealed("app", null, task))))
                .isEqualTo(new Refusal(Refusal.Code.TOO_MUCH, "task t has 101 preferences: at most 100 are allowed"));
    }

    private static NodePreference prefer(int weight, String label, String value) {
        return new NodePreference(
                weight, new NodeSelectorTerm(List.of(NodeSelectorRequirement.label(label, value)), List.of()));
    }

    @Test
    void noExecute_untolerated_stopsTaskWhichRunsElsewhere(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "1").submit("app", null, TaskSpec.single("t", CORE));
        cluster.cycle();
        cluster.start("app/t").node("b", "vcore", "1").taint("a", DRAIN);

        assertThat(cluster.cycle()).isEmpty();
        assertThat(task(cluster, "app/t").state()).isEqualTo(TaskState.STOPPING);
        assertThat(task(cluster, "app/t").stopReason()).isEqualTo(StopReason.TAINT);

        cluster.fail("app/t");
        assertThat(cluster.cycle()).containsExactly("app/t -> b");
        assertThat(Objects.requireNonNull(cluster.application("app").group("t")).failures(0))
                .isZero();
    }

    @Test
    void noExecute_toleratedForAWhile_stopsTaskThenAndAdmitsNone(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "2");
        cluster.submit("app", null, tolerant("t", "drain", Duration.ofSeconds(60)));
        cluster.cycle();
        cluster.start("app/t").taint("a", DRAIN);
        cluster.submit("late", null, tolerant("t", "drain", Duration.ofSeconds(60)));

        assertThat(cluster.cycle()).isEmpty();
        assertThat(Objects.requireNonNull(cluster.partition().nextTimer()).due())
                .isEqualTo(cluster.now().plusSeconds(60));
        cluster.advance(Duration.ofSeconds(59)).cycle();
        assertThat(task(cluster, "app/t").state()).isEqualTo(TaskState.RUNNING);
        cluster.taint("a", DRAIN, AVOID); // keeps the time of the taint
        cluster.advance(Duration.ofSeconds(1)).cycle();
        assertThat(task(cluster, "app/t").stopReason()).isEqualTo(StopReason.TAINT);
    }

    @Test
    void noExecute_removedInTime_stopsNothing(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "2");
        cluster.submit("app", null, tolerant("t", "drain", Duration.ofSeconds(60)));
        cluster.cycle();
        cluster.taint("a", DRAIN).advance(Duration.ofSeconds(30)).taint("a");
        cluster.advance(Duration.ofSeconds(60)).cycle();

        assertThat(task(cluster, "app/t").state()).isEqualTo(TaskState.STARTING);
    }

    @Test
    void noExecute_tolerated_stopsNothing(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "2").submit("app", null, tolerant("t", "drain", null));
        cluster.taint("a", DRAIN);

        assertThat(cluster.cycle()).containsExactly("app/t -> a");
        cluster.advance(Duration.ofDays(1)).cycle();
        assertThat(task(cluster, "app/t").state()).isEqualTo(TaskState.STARTING);
    }

    /** Each end and stop used to visit all tasks of the node. */
    @Test
    void noExecute_otherTaskEnds_leavesTimerAlone(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "4");
        cluster.submit("first", null, tolerant("t", "drain", Duration.ofSeconds(60)));
        cluster.submit("same", null, tolerant("t", "drain", Duration.ofSeconds(60)));
        cluster.submit("later", null, tolerant("t", "drain", Duration.ofSeconds(90)));
        cluster.submit("stays", null, tolerant("t", "drain", null));
        cluster.cycle();
        cluster.startAll().taint("a", DRAIN);
        Timer timer = evictionTimer(cluster);
        assertThat(timer.due()).isEqualTo(cluster.now().plusSeconds(60));

        cluster.succeed("stays/t").stop("first/t").fail("first/t");
        assertThat(evictionTimer(cluster)).isSameAs(timer);
        cluster.succeed("same/t");
        assertThat(evictionTimer(cluster).due()).isEqualTo(cluster.now().plusSeconds(90));
        cluster.stop("later/t");
        assertThat(Objects.requireNonNull(cluster.node("a").eviction()).due(Instant.MAX))
                .isEmpty();
    }

    private static Timer evictionTimer(ClusterUnderTest cluster) {
        return cluster.partition().timers().stream()
                .filter(timer -> timer.subject() instanceof NodeEviction)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void noSchedule_addedToNodeOfReservedTask_withdrawsIt(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 2)
                └─ b
                """)).node("n", "vcore", "2");
        cluster.submit("victim", "root.b", TaskSpec.of("t", 2, CORE)).cycle();
        cluster.startAll().submit("plain", "root.a", TaskSpec.single("t", CORE));
        cluster.submit("tolerant", "root.a", tolerant("t", "gpu", null)).cycle();
        cluster.advance(Duration.ofSeconds(30)).cycle();
        assertThat(cluster.node("n").reserved()).extracting(String::valueOf).containsExactly("plain/t", "tolerant/t");

        cluster.taint("n", GPU);

        assertThat(cluster.events())
                .filteredOn(TaskEvent.Stopping.class::isInstance)
                .extracting(event -> ((TaskEvent.Stopping) event).reason())
                .containsExactly(StopReason.WITHDRAWN);
        assertThat(cluster.node("n").reserved()).extracting(String::valueOf).containsExactly("tolerant/t");
        assertThat(cluster.application("plain").pending()).isEqualTo(1);
        cluster.fail("victim/t-0").fail("victim/t-1");
        assertThat(task(cluster, "tolerant/t").state()).isEqualTo(TaskState.STARTING);
        assertThat(cluster.cycle()).isEmpty();
    }

    /** The new capacity would release both tasks. */
    @Test
    void nodeOfReservedTasks_grownAndTainted_startsOnlyTolerant(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 3)
                └─ b
                """)).node("n", "vcore", "3");
        cluster.submit("victim", "root.b", TaskSpec.of("t", 3, CORE)).cycle();
        cluster.startAll().submit("plain", "root.a", TaskSpec.of("t", 2, CORE));
        cluster.submit("tolerant", "root.a", tolerant("t", "gpu", null)).cycle();
        cluster.advance(Duration.ofSeconds(30)).cycle();
        assertThat(cluster.node("n").reserved()).hasSize(3);

        cluster.handle(
                new Command.UpdateNode("default", "n", Resources.parse("vcore", "9"), TextMap.EMPTY, List.of(GPU)));

        assertThat(cluster.placed())
                .filteredOn(task -> task.state() == TaskState.STARTING)
                .extracting(String::valueOf)
                .containsExactly("tolerant/t");
        assertThat(cluster.application("plain").pending()).isEqualTo(2);
    }

    @Test
    void taints_invalid_areRefused(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "2");

        assertThat(cluster.refusal(new Command.TaintNode("default", "a", List.of(GPU, DRAIN, GPU)))
                        .message())
                .isEqualTo("duplicate taint gpu:NoSchedule: a node has at most one with this key and effect");
        assertThat(cluster.refusal(new Command.TaintNode("default", "b", List.of()))
                        .message())
                .contains("node b");
        assertThat(cluster.node("a").taints()).isEmpty();
    }
}
