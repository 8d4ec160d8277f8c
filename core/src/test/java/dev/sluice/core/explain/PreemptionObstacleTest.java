package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.PreemptionObstacle.Kind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Why tasks below their guarantee have not preempted others. */
@ExtendWith(SchedulerExtension.class)
class PreemptionObstacleTest {

    private static final String TREE = """
            root
            ├─ a    guaranteed(vcore 1)
            └─ b
            """;

    private static TaskSpec cores(int count, int cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(cores)));
    }

    /** Fills a node of two cores with tasks of queue b, and submits a task to queue a. */
    private static ClusterUnderTest full(ClusterUnderTest cluster, String tree, TaskSpec running, TaskSpec pending) {
        cluster.queues(QueueTreeText.of(tree)).node("n", "vcore", "2");
        cluster.submit("b", "root.b", running).cycle();
        cluster.startAll().submit("x", "root.a", pending).cycle();
        return cluster;
    }

    private static ClusterUnderTest afterDelay(ClusterUnderTest cluster) {
        cluster.advance(Duration.ofSeconds(30)).cycle();
        return cluster;
    }

    private static WaitReason reason(ClusterUnderTest cluster) {
        PendingSummary all = new Explainer(cluster.partition(), cluster.now())
                .explain(cluster.application("x"))
                .get(0);
        // in the smallest steps
        Explanation explanation = new Explainer(cluster.partition(), cluster.now()).begin(cluster.application("x"));
        while (!explanation.step(new StepBudget(StepBudget.MIN))) {
            // continue
        }
        assertThat(explanation.waiting().get(0).reason()).isEqualTo(all.reason());
        return all.reason();
    }

    private static @Nullable PreemptionObstacle obstacle(ClusterUnderTest cluster) {
        return reason(cluster) instanceof WaitReason.NotPreempting not ? not.obstacle() : null;
    }

    private static PreemptionObstacle of(Kind kind, @Nullable String queue, @Nullable Instant until, long tasks) {
        return new PreemptionObstacle(kind, queue, until, tasks);
    }

    @Test
    void delay_notOver_saysUntilWhen(ClusterUnderTest cluster) {
        full(cluster, TREE, cores(2, 1), cores(1, 1));
        Instant until = cluster.now().plusSeconds(30);

        assertThat(obstacle(cluster)).isEqualTo(of(Kind.DELAY, null, until, 0));
        assertThat(reason(cluster).code()).isEqualTo("no-node-fits");
        assertThat(reason(cluster).detail())
                .isEqualTo("insufficient vcore on the only node; preempts nothing before " + until);
    }

    @Test
    void victims_protected_saysHowManyAndUntilWhen(ClusterUnderTest cluster) {
        full(cluster, TREE.replace("root\n", "root runtime(PT5M)\n"), cores(2, 1), cores(1, 1));
        Instant until = cluster.now().plus(Duration.ofMinutes(5));

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.PROTECTED, null, until, 2));
        assertThat(reason(cluster).detail())
                .endsWith("preempts nothing: 2 tasks are protected, the first until " + until);
    }

    @Test
    void victims_neverPreemptible_haveNoEnd(ClusterUnderTest cluster) {
        full(cluster, TREE, cores(2, 1).withPreemptible(false), cores(1, 1));

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.PROTECTED, null, null, 2));
    }

    @Test
    void fence_withoutVictimsBelow_isNamed(ClusterUnderTest cluster) {
        full(cluster, TREE.replace("vcore 1)", "vcore 1) preemption(fence)"), cores(2, 1), cores(1, 1));

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.FENCE, "root.a", null, 0));
    }

    @Test
    void policy_disabled_isNamed(ClusterUnderTest cluster) {
        full(cluster, TREE.replace("vcore 1)", "vcore 1) preemption(disabled)"), cores(2, 1), cores(1, 1));

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.DISABLED, "root.a", null, 0));
    }

    @Test
    void partition_off_isTold(ClusterUnderTest cluster) {
        full(cluster, TREE, cores(2, 1), cores(1, 1));
        PartitionConfiguration configuration = cluster.partition().configuration();
        cluster.configure(configuration.withPreemption(false, false));

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.OFF, null, null, 0));
    }

    @Test
    void victims_ofHigherPriority_doNotQualify(ClusterUnderTest cluster) {
        full(cluster, TREE, cores(2, 1).withPriority(1), cores(1, 1));

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.NO_VICTIMS, null, null, 0));
    }

    /** A task of b without cores is not needed; one of two nodes' halves does not hold two cores. */
    @Test
    void victims_thatDoNotMakeItFit_wouldBeInVain(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TREE.replace("vcore 1)", "vcore 2)")))
                .node("n", "vcore", "1")
                .node("m", "vcore", "1")
                .node("large", "vcore", "2");
        cluster.submit("keep", "root.b", cores(1, 2).withPreemptible(true).withPriority(1));
        cluster.cycle();
        cluster.submit("b", "root.b", cores(2, 1)).cycle();
        cluster.startAll().submit("x", "root.a", cores(1, 2)).cycle();

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.IN_VAIN, null, null, 2));
    }

    @Test
    void delay_overBeforeNextCycle_mayPreemptThen(ClusterUnderTest cluster) {
        full(cluster, TREE, cores(2, 1), cores(1, 1));
        cluster.advance(Duration.ofSeconds(30));

        assertThat(obstacle(cluster)).isEqualTo(of(Kind.NONE, null, null, 0));
    }

    @Test
    void task_beyondGuarantee_hasNoObstacle(ClusterUnderTest cluster) {
        full(cluster, TREE, cores(2, 1), cores(1, 2));

        assertThat(reason(afterDelay(cluster))).isInstanceOf(WaitReason.NoNodeFits.class);
    }

    @Test
    void priority_enabled_countsVictimsOfLowerPriority(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root\n└─ a    bypriority\n")).node("n", "vcore", "2");
        cluster.submit("b", "root.a", cores(2, 1).withPreemptible(false)).cycle();
        cluster.startAll().submit("x", "root.a", cores(1, 1).withPriority(1)).cycle();

        assertThat(obstacle(afterDelay(cluster))).isEqualTo(of(Kind.PROTECTED, null, null, 2));
    }
}
