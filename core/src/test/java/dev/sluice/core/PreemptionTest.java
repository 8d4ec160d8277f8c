package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Preemption for guaranteed resources and priorities: YuniKorn's documented laws and examples, and ours. */
@ExtendWith(SchedulerExtension.class)
class PreemptionTest {

    private static final Duration DELAY = Duration.ofSeconds(30);

    private static TaskSpec cores(String name, int count, int cores) {
        return TaskSpec.of(name, count, Resources.parse("vcore", String.valueOf(cores)));
    }

    /** Submits tasks of one core and starts as many as fit. */
    private static void fill(ClusterUnderTest cluster, String id, String queue, TaskSpec... tasks) {
        cluster.submit(id, queue, tasks).cycle();
        cluster.startAll();
    }

    /** Returns the preemptions since the last call as "victim for beneficiary: reason". */
    private static List<String> preempted(ClusterUnderTest cluster) {
        List<String> preempted = new ArrayList<>();
        cluster.events().forEach(event -> {
            if (event instanceof TaskEvent.Stopping stopping && stopping.beneficiary() != null) {
                preempted.add(stopping.application() + "/" + stopping.task().id() + " for "
                        + stopping.beneficiary().application() + "/"
                        + stopping.beneficiary().id() + ": " + stopping.reason().wireName());
            }
        });
        return preempted;
    }

    private static List<String> afterDelay(ClusterUnderTest cluster) {
        cluster.cycle();
        cluster.advance(DELAY).cycle();
        return preempted(cluster);
    }

    @Test
    void guarantee_pendingForDelay_preemptsMostRecentOfOthers(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 2)
                └─ b
                """)).node("n", "vcore", "4");
        fill(cluster, "old", "root.b", cores("t", 2, 1));
        cluster.advance(Duration.ofMinutes(1));
        fill(cluster, "new", "root.b", cores("t", 2, 1));
        cluster.submit("x", "root.a", cores("t", 3, 1)).cycle();
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isEqualTo(cluster.now().plus(DELAY));
        assertThat(cluster.advance(DELAY.minusMillis(1)).cycle()).isEmpty();
        assertThat(cluster.advance(Duration.ofMillis(1)).cycle()).hasSize(2);

        assertThat(preempted(cluster)).containsExactly("new/t-1 for x/t-0: guarantee", "new/t-0 for x/t-1: guarantee");
        assertThat(cluster.placed().stream()
                        .filter(task -> task.application().id().equals("x")))
                .allMatch(task -> task.state() == TaskState.RESERVED);
    }

    @Test
    void leaf_withoutPriorities_doesNotPreemptByPriority(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a    bypriority priorities(disabled)
                """)).node("n", "vcore", "1");
        fill(cluster, "low", "root.a", cores("t", 1, 1));
        cluster.submit("high", "root.a", cores("t", 1, 1).withPriority(5)).cycle();
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isNotEqualTo(cluster.now().plus(DELAY));
        assertThat(afterDelay(cluster)).isEmpty();
    }

    @Test
    void victim_ended_isPendingWithItsRetries(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 1)
                └─ b
                """)).node("n", "vcore", "1");
        fill(cluster, "v", "root.b", cores("t", 1, 1).withAttempts(1, null));
        cluster.submit("x", "root.a", cores("t", 1, 1));
        assertThat(afterDelay(cluster)).containsExactly("v/t-0 for x/t-0: guarantee");
        cluster.fail("v/t-0", 143);

        assertThat(cluster.application("v").pending()).isEqualTo(1);
        assertThat(cluster.application("v").groups().get(0).failures(0)).isZero();
        cluster.startAll().succeed("x/t-0").cycle();
        assertThat(cluster.placed()).extracting(String::valueOf).containsExactly("v/t-0");
    }

    /** The most recent task is what the pending one must be beside. */
    @Test
    void victim_thatBeneficiaryMustBeBeside_isSpared(ClusterUnderTest cluster) {
        Map<String, String> db = Map.of("app", "db");
        TaskConstraints labelled = TaskConstraints.NONE.withLabels(db);
        TaskTerm beside = new TaskTerm(LabelSelector.of(db, List.of()), Topology.HOST);
        TaskConstraints affine = TaskConstraints.NONE.withAffinity(new TaskAffinity(List.of(beside), List.of()));
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 1)
                └─ b
                """)).node("n", "vcore", "2");
        fill(cluster, "other", "root.b", cores("t", 1, 1));
        cluster.advance(Duration.ofMinutes(1));
        fill(cluster, "db", "root.b", cores("t", 1, 1).withConstraints(Constraints.NONE.withTasks(labelled)));
        cluster.submit("x", "root.a", cores("t", 1, 1).withConstraints(Constraints.NONE.withTasks(affine)));

        assertThat(afterDelay(cluster)).containsExactly("other/t-0 for x/t-0: guarantee");
    }

    /** YuniKorn: a task fits under its queue's guarantee, and no victim's queue falls below its own. */
    @Test
    void victims_ofQueueAtGuarantee_areSpared(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 4)
                ├─ b    guaranteed(vcore 3)
                └─ c    guaranteed(vcore 3)
                """)).node("n", "vcore", "10");
        fill(cluster, "b", "root.b", cores("t", 7, 1));
        fill(cluster, "c", "root.c", cores("t", 3, 1));
        cluster.submit("x", "root.a", cores("t", 5, 1));

        assertThat(afterDelay(cluster)).hasSize(4).allMatch(line -> line.startsWith("b/"));
    }

    /** YuniKorn's tree: the guarantee of a parent serves its children, and siblings share within it. */
    @Test
    void guarantee_ofParent_servesChildren(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ prod       guaranteed(vcore 4)
                │  ├─ x       guaranteed(vcore 3)
                │  └─ y
                └─ dev
                """)).node("n", "vcore", "8");
        fill(cluster, "y", "root.prod.y", cores("t", 4, 1));
        fill(cluster, "d", "root.dev", cores("t", 4, 1));
        cluster.submit("x", "root.prod.x", cores("t", 4, 1));

        assertThat(afterDelay(cluster)).hasSize(3).allMatch(line -> line.startsWith("y/"));
    }

    @Test
    void guarantee_ofParentAlone_takesFromOutside(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ prod       guaranteed(vcore 3)
                │  ├─ x
                │  └─ y
                └─ dev
                """)).node("n", "vcore", "4");
        fill(cluster, "y", "root.prod.y", cores("t", 2, 1));
        fill(cluster, "d", "root.dev", cores("t", 2, 1));
        cluster.submit("x", "root.prod.x", cores("t", 4, 1));

        assertThat(afterDelay(cluster)).containsExactly("d/t-1 for x/t-0: guarantee");
    }

    /** YuniKorn's example of fences: queues of one tenant never preempt those of another. */
    @Test
    void fence_aboveBeneficiary_keepsVictimsInside(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ tenant     preemption(fence)
                │  ├─ a       guaranteed(vcore 4)
                │  └─ b
                └─ other
                """)).node("n", "vcore", "4");
        fill(cluster, "o", "root.other", cores("t", 2, 1));
        fill(cluster, "b", "root.tenant.b", cores("t", 2, 1));
        cluster.submit("x", "root.tenant.a", cores("t", 4, 1));

        assertThat(afterDelay(cluster)).hasSize(2).allMatch(line -> line.startsWith("b/"));
    }

    @Test
    void fence_aboveVictim_doesNotProtectIt(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 1)
                └─ b          preemption(fence)
                """)).node("n", "vcore", "1");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        cluster.submit("x", "root.a", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).hasSize(1);
    }

    @Test
    void preemption_disabled_neitherPreemptsNorIsPreempted(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 1)
                ├─ b          preemption(disabled)
                └─ c          guaranteed(vcore 1) preemption(disabled)
                """)).node("n", "vcore", "1");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        cluster.submit("x", "root.a", cores("t", 1, 1)).submit("y", "root.c", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    @Test
    void preemption_offInPartition_preemptsNothing(ClusterUnderTest cluster) {
        PartitionConfiguration on = PartitionConfiguration.of("default", QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 1) bypriority
                └─ b
                """));
        cluster.configure(new PartitionConfiguration(
                        on.name(), on.root(), List.of(), on.nodeSortPolicy(), on.resourceWeights(), false))
                .node("n", "vcore", "1");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        cluster.submit("x", "root.a", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).isEmpty();
        cluster.configure(on).cycle();
        assertThat(preempted(cluster)).hasSize(1);
    }

    @Test
    void task_notPreemptible_isSpared(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 2)
                └─ b
                """)).node("n", "vcore", "2");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        fill(cluster, "c", "root.b", cores("t", 1, 1).withPreemptible(false));
        cluster.submit("x", "root.a", cores("t", 2, 1));

        assertThat(afterDelay(cluster)).containsExactly("b/t-0 for x/t-0: guarantee");
    }

    @Test
    void task_withinMinimumRuntime_isSparedUntilItsEnd(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root          runtime(PT5M)
                ├─ a          guaranteed(vcore 1)
                └─ b
                """)).node("n", "vcore", "1");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        cluster.submit("x", "root.a", cores("t", 1, 1));
        assertThat(afterDelay(cluster)).isEmpty();
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isEqualTo(ClusterUnderTest.BEGIN.plus(Duration.ofMinutes(5)));
        cluster.advance(Duration.ofMinutes(5).minus(DELAY)).cycle();

        assertThat(preempted(cluster)).hasSize(1);
    }

    /** YuniKorn: tasks of higher priority are no victims; a fence shows the offset alone. */
    @Test
    void victims_ofHigherPriority_areSpared(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 2)
                ├─ b
                └─ c          fence offset(-1)
                """)).node("n", "vcore", "2");
        fill(cluster, "b", "root.b", cores("t", 1, 1).withPriority(1));
        fill(cluster, "c", "root.c", cores("t", 1, 1).withPriority(9));
        cluster.submit("x", "root.a", cores("t", 2, 1));

        assertThat(afterDelay(cluster)).containsExactly("c/t-0 for x/t-0: guarantee");
    }

    @Test
    void victims_sparedWhereNotNeeded_areMinimal(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 3)
                └─ b
                """)).node("n", "vcore", "5");
        fill(cluster, "big", "root.b", cores("t", 1, 3));
        cluster.advance(Duration.ofSeconds(1));
        fill(cluster, "small", "root.b", cores("t", 2, 1));
        cluster.submit("x", "root.a", cores("t", 1, 3));

        assertThat(afterDelay(cluster)).containsExactly("big/t-0 for x/t-0: guarantee");
    }

    @Test
    void node_withLeastWorkLost_isTaken(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 1)
                └─ b
                """)).node("n1", "vcore", "1").node("n2", "vcore", "1");
        fill(cluster, "old", "root.b", cores("t", 1, 1));
        cluster.advance(Duration.ofMinutes(1));
        fill(cluster, "new", "root.b", cores("t", 1, 1));
        cluster.submit("x", "root.a", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).containsExactly("new/t-0 for x/t-0: guarantee");
    }

    @Test
    void beneficiary_thatFitsNoNode_preemptsNothing(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 4)
                └─ b
                """)).node("n1", "vcore", "2").node("n2", "vcore", "2");
        fill(cluster, "b", "root.b", cores("t", 4, 1));
        cluster.submit("x", "root.a", cores("t", 1, 3));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    /** A sibling's tasks are preempted because of the maximum of the parent, although the node has free capacity. */
    @Test
    void guarantee_behindMaximumOfParent_takesFromSibling(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ p          max(vcore 2)
                │  ├─ a       guaranteed(vcore 1)
                │  └─ b
                └─ c
                """)).node("n", "vcore", "9");
        fill(cluster, "c", "root.c", cores("t", 2, 1));
        fill(cluster, "b", "root.p.b", cores("t", 2, 1));
        cluster.submit("x", "root.p.a", cores("t", 1, 1));

        assertThat(afterDelay(cluster)).containsExactly("b/t-1 for x/t-0: guarantee");
    }

    @Test
    void priority_higherInSameLeaf_preemptsLowestOfOthers(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          bypriority
                └─ b
                """)).node("n", "vcore", "4");
        fill(cluster, "b", "root.b", cores("t", 1, 1));
        fill(cluster, "low", "root.a", cores("t", 1, 1).withPriority(-1));
        fill(cluster, "own", "root.a", cores("t", 1, 1).withPriority(-9));
        fill(cluster, "mid", "root.a", cores("t", 1, 1));
        cluster.add("own", cores("u", 3, 1).withPriority(1));

        assertThat(afterDelay(cluster))
                .containsExactly("low/t-0 for own/u-0: priority", "mid/t-0 for own/u-1: priority");
    }

    @Test
    void priority_notEnabled_preemptsNothing(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a
                """)).node("n", "vcore", "1");
        fill(cluster, "low", "root.a", cores("t", 1, 1));
        cluster.submit("high", "root.a", cores("t", 1, 1).withPriority(1));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    @Test
    void reasons_ofPreemption_runAgain() {
        assertThat(StopReason.values())
                .filteredOn(StopReason::isPreemption)
                .containsExactly(StopReason.REBALANCE, StopReason.GUARANTEE, StopReason.PRIORITY, StopReason.QUOTA)
                .allMatch(StopReason::runsAgain);
    }
}
