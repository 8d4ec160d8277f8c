package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Preemption of tasks of queues whose maximum was lowered below what they use. */
@ExtendWith(SchedulerExtension.class)
class QuotaPreemptionTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static TaskSpec cores(String name, int count, int cores) {
        return TaskSpec.of(name, count, Resources.parse("vcore", String.valueOf(cores)));
    }

    private static void configure(ClusterUnderTest cluster, String tree) {
        cluster.configure(
                PartitionConfiguration.of("default", QueueTreeText.of(tree)).withPreemption(false, true));
    }

    /** Submits tasks and starts as many as fit, a second after the last ones. */
    private static void fill(ClusterUnderTest cluster, String id, String queue, TaskSpec... tasks) {
        cluster.submit(id, queue, tasks).cycle();
        cluster.startAll().advance(Duration.ofSeconds(1));
    }

    /** Returns the tasks preempted since the last call. */
    private static List<String> preempted(ClusterUnderTest cluster) {
        List<String> preempted = new ArrayList<>();
        cluster.events().forEach(event -> {
            if (event instanceof TaskEvent.Stopping stopping) {
                assertThat(stopping.reason()).isEqualTo(StopReason.QUOTA);
                assertThat(stopping.beneficiary()).isNull();
                preempted.add(stopping.application() + "/" + stopping.task().id());
            }
        });
        return preempted;
    }

    private static List<String> afterMinute(ClusterUnderTest cluster) {
        cluster.cycle();
        cluster.advance(MINUTE).cycle();
        return preempted(cluster);
    }

    private static @Nullable Instant due(ClusterUnderTest cluster) {
        return cluster.scheduler().scheduler().nextDue("default");
    }

    @Test
    void explanation_ofVictims_namesMaximum(ClusterUnderTest cluster) {
        configure(cluster, """
                root
                └─ a    max(vcore 3) quota(PT1M)
                """);
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.a", cores("t", 3, 1));
        configure(cluster, """
                root
                └─ a    max(vcore 1) quota(PT1M)
                """);
        assertThat(afterMinute(cluster)).hasSize(2);
        assertThat(reasons(cluster))
                .containsExactly("2 preempted because its queue is above its maximum; runs again after it has ended");

        cluster.succeed("a/t-2");
        assertThat(reasons(cluster))
                .containsExactly("1 preempted because its queue is above its maximum; runs again after it has ended");
    }

    private static List<String> reasons(ClusterUnderTest cluster) {
        return new Explainer(cluster.partition())
                .explain(cluster.application("a")).stream()
                        .map(each -> each.tasks() + " " + each.reason().detail())
                        .toList();
    }

    @Test
    void maximum_loweredForDelay_preemptsMostRecentUntilWithin(ClusterUnderTest cluster) {
        configure(cluster, """
                root
                └─ a    max(vcore 6) quota(PT1M)
                """);
        cluster.node("n", "vcore", "9");
        fill(cluster, "old", "root.a", cores("t", 3, 1));
        fill(cluster, "new", "root.a", cores("t", 3, 1).withAttempts(1, null));
        cluster.cycle();
        assertThat(cluster.queue("root.a").overMaximumSince()).isNull();
        configure(cluster, """
                root
                └─ a    max(vcore 4) quota(PT1M)
                """);
        cluster.events();
        cluster.cycle();
        assertThat(cluster.events())
                .containsExactly(new PartitionEvent.MaximumExceeded("default", "root.a", cluster.now()));
        assertThat(due(cluster)).isEqualTo(cluster.now().plus(MINUTE));
        cluster.advance(MINUTE.minusMillis(1)).cycle();
        assertThat(preempted(cluster)).isEmpty();
        cluster.advance(Duration.ofMillis(1)).cycle();

        assertThat(preempted(cluster)).containsExactly("new/t-2", "new/t-1");
        assertThat(cluster.queue("root.a").overMaximumSince()).isNull();
        cluster.fail("new/t-2", 143).fail("new/t-1", 143).cycle();
        assertThat(cluster.application("new").pending()).isEqualTo(2);
        assertThat(cluster.application("new").groups().get(0).failures(1)).isZero();
    }

    @Test
    void maximum_withoutDelay_isNotEnforced(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.a", cores("t", 6, 1));
        configure(cluster, "root\n└─ a    max(vcore 4)\n");

        assertThat(afterMinute(cluster)).isEmpty();
        assertThat(cluster.queue("root.a").overMaximumSince()).isNull();
    }

    @Test
    void maximum_offInPartition_isNotEnforced(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.a", cores("t", 6, 1));
        String lowered = "root\n└─ a    max(vcore 4) quota(PT1M)\n";
        cluster.configure(PartitionConfiguration.of("default", QueueTreeText.of(lowered)));
        assertThat(afterMinute(cluster)).isEmpty();
        configure(cluster, lowered);
        assertThat(afterMinute(cluster)).hasSize(2);
    }

    @Test
    void maximum_raisedBeforeDelay_preemptsNothing(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.a", cores("t", 6, 1));
        configure(cluster, "root\n└─ a    max(vcore 4) quota(PT1M)\n");
        cluster.cycle();
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");

        assertThat(cluster.queue("root.a").overMaximumSince()).isNull();
        assertThat(afterMinute(cluster)).isEmpty();
    }

    /** YuniKorn: a changed delay counts from the same time, and a second decrease does not start it again. */
    @Test
    void delay_changedWhileItPasses_countsFromTheFirstDecrease(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1H)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.a", cores("t", 6, 1));
        configure(cluster, "root\n└─ a    max(vcore 5) quota(PT1H)\n");
        cluster.cycle();
        cluster.advance(MINUTE);
        configure(cluster, "root\n└─ a    max(vcore 4) quota(PT1M)\n");
        cluster.cycle();

        assertThat(preempted(cluster)).hasSize(2);
    }

    /** YuniKorn: usage that falls below the maximum by itself ends the matter. */
    @Test
    void usage_withinMaximumBeforeDelay_preemptsNothing(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.a", cores("t", 6, 1));
        configure(cluster, "root\n└─ a    max(vcore 4) quota(PT1M)\n");
        cluster.cycle();
        cluster.succeed("a/t-0").succeed("a/t-1");

        assertThat(cluster.queue("root.a").overMaximumSince()).isNull();
        assertThat(afterMinute(cluster)).isEmpty();
    }

    @Test
    void victims_lowestPriorityFirst(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "low", "root.a", cores("t", 2, 1).withPriority(-1));
        fill(cluster, "high", "root.a", cores("t", 2, 1).withPriority(5));
        fill(cluster, "mid", "root.a", cores("t", 2, 1));
        configure(cluster, "root\n└─ a    max(vcore 3) quota(PT1M)\n");

        assertThat(afterMinute(cluster)).containsExactly("low/t-1", "low/t-0", "mid/t-1");
    }

    /** YuniKorn's table: only the types that exceed the maximum count, and a new limit of a type, too. */
    @Test
    void victims_requestWhatIsExceeded(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");
        cluster.node("n", "vcore", "9", "gpu", "4");
        TaskSpec gpu = TaskSpec.of("t", 2, Resources.parse("vcore", "1", "gpu", "1"));
        fill(cluster, "gpu", "root.a", gpu);
        fill(cluster, "new", "root.a", cores("t", 2, 1));
        configure(cluster, "root\n└─ a    max(vcore 6, gpu 1) quota(PT1M)\n");

        assertThat(afterMinute(cluster)).containsExactly("gpu/t-1");
    }

    @Test
    void victims_withoutWhatIsExceeded_areNoneWhereOthersAreProtected(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");
        cluster.node("n", "vcore", "9", "gpu", "4");
        TaskSpec gpu = TaskSpec.of("t", 2, Resources.parse("vcore", "1", "gpu", "1"));
        fill(cluster, "gpu", "root.a", gpu.withPreemptible(false));
        fill(cluster, "new", "root.a", cores("t", 2, 1));
        configure(cluster, "root\n└─ a    max(vcore 6, gpu 1) quota(PT1M)\n");

        assertThat(afterMinute(cluster)).isEmpty();
    }

    @Test
    void victims_notNeeded_areSpared(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 9) quota(PT1M)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "big", "root.a", cores("t", 1, 4));
        fill(cluster, "small", "root.a", cores("t", 2, 1));
        configure(cluster, "root\n└─ a    max(vcore 3) quota(PT1M)\n");

        assertThat(afterMinute(cluster)).as("6 used: 3 too many").containsExactly("big/t-0");
    }

    /** YuniKorn: usage above the guarantee only; of a parent, the children that have more than they are guaranteed. */
    @Test
    void maximum_ofParentLowered_keepsGuaranteesOfChildren(ClusterUnderTest cluster) {
        configure(cluster, """
                root
                └─ p       max(vcore 9) quota(PT1M)
                   ├─ a    guaranteed(vcore 3)
                   └─ b    guaranteed(vcore 1)
                """);
        cluster.node("n", "vcore", "9");
        fill(cluster, "b", "root.p.b", cores("t", 5, 1));
        fill(cluster, "a", "root.p.a", cores("t", 4, 1));
        configure(cluster, """
                root
                └─ p       max(vcore 4) quota(PT1M)
                   ├─ a    guaranteed(vcore 3)
                   └─ b    guaranteed(vcore 1)
                """);

        assertThat(afterMinute(cluster)).containsExactly("b/t-4", "b/t-3", "b/t-2", "b/t-1", "a/t-3");
    }

    /** YuniKorn: what would take the queue below its guarantee is not preempted; as much as possible is. */
    @Test
    void victims_largerThanExcess_keepGuarantee(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    guaranteed(vcore 5) max(vcore 10) quota(PT1M)\n");
        cluster.node("n", "vcore", "10");
        fill(cluster, "a", "root.a", cores("t", 5, 2));
        configure(cluster, "root\n└─ a    guaranteed(vcore 5) max(vcore 5) quota(PT1M)\n");

        assertThat(afterMinute(cluster)).containsExactly("a/t-4", "a/t-3");
        assertThat(cluster.queue("root.a").overMaximumSince()).isNotNull();
        assertThat(due(cluster)).as("nothing else can be done").isNull();
    }

    /** YuniKorn: a leaf comes before its parent. */
    @Test
    void maxima_ofLeafAndParent_leafFirst(ClusterUnderTest cluster) {
        configure(cluster, """
                root
                └─ p       max(vcore 8) quota(PT1M)
                   ├─ a    max(vcore 4) quota(PT1M)
                   └─ b
                """);
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.p.a", cores("t", 4, 1));
        fill(cluster, "b", "root.p.b", cores("t", 4, 1).withPriority(-1));
        configure(cluster, """
                root
                └─ p       max(vcore 6) quota(PT1M)
                   ├─ a    max(vcore 2) quota(PT1M)
                   └─ b
                """);

        assertThat(afterMinute(cluster)).containsExactly("a/t-3", "a/t-2");
    }

    @Test
    void victims_protected_areSparedUntilItEnds(ClusterUnderTest cluster) {
        configure(cluster, """
                root       runtime(PT5M)
                └─ p       max(vcore 6) quota(PT1M)
                   ├─ a
                   └─ b    preemption(disabled)
                """);
        cluster.node("n", "vcore", "9");
        fill(cluster, "b", "root.p.b", cores("t", 2, 1));
        fill(cluster, "never", "root.p.a", cores("t", 2, 1).withPreemptible(false));
        Instant started = cluster.now();
        fill(cluster, "young", "root.p.a", cores("t", 2, 1));
        configure(cluster, """
                root       runtime(PT5M)
                └─ p       max(vcore 1) quota(PT1M)
                   ├─ a
                   └─ b    preemption(disabled)
                """);
        assertThat(afterMinute(cluster)).isEmpty();
        assertThat(due(cluster)).isEqualTo(started.plus(MINUTE.multipliedBy(5)));
        cluster.advance(MINUTE.multipliedBy(5)).cycle();

        assertThat(preempted(cluster)).containsExactly("young/t-1", "young/t-0");
    }

    /** A fence is no protection: nobody outside benefits. */
    @Test
    void fence_belowQueue_protectsNothing(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M) preemption(fence)\n");
        cluster.node("n", "vcore", "9");
        fill(cluster, "a", "root.a", cores("t", 6, 1));
        configure(cluster, "root\n└─ a    max(vcore 5) quota(PT1M) preemption(fence)\n");

        assertThat(afterMinute(cluster)).hasSize(1);
    }

    @Test
    void victims_startedLater_followAfterTheirStart(ClusterUnderTest cluster) {
        configure(cluster, "root\n└─ a    max(vcore 6) quota(PT1M)\n");
        cluster.node("n", "vcore", "9");
        cluster.submit("a", "root.a", cores("t", 6, 1)).cycle();
        configure(cluster, "root\n└─ a    max(vcore 5) quota(PT1M)\n");
        assertThat(afterMinute(cluster)).isEmpty();
        cluster.startAll().cycle();

        assertThat(preempted(cluster)).containsExactly("a/t-5");
    }

    /** What the victims leave is used at once by others, who wait for their end. */
    @Test
    void capacity_ofVictims_isReservedForOthers(ClusterUnderTest cluster) {
        configure(cluster, "root\n├─ a    max(vcore 6) quota(PT1M)\n└─ b\n");
        cluster.node("n", "vcore", "6");
        fill(cluster, "a", "root.a", cores("t", 6, 1));
        cluster.submit("b", "root.b", cores("t", 2, 1));
        configure(cluster, "root\n├─ a    max(vcore 5) quota(PT1M)\n└─ b\n");

        assertThat(afterMinute(cluster)).containsExactly("a/t-5");
        assertThat(cluster.application("b").pending()).isEqualTo(1);
        cluster.fail("a/t-5", 143).cycle();
        assertThat(cluster.application("a").pending()).isEqualTo(1);
    }
}
