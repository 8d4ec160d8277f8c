package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which tasks become victims of a preemption, and on which node; each case is decided by one condition. */
@ExtendWith(SchedulerExtension.class)
class PreemptionVictimsTest {

    private static final String TREE = """
            root
            ├─ a    guaranteed(vcore 4) bypriority
            └─ b
            """;

    private static TaskSpec cores(int count, int cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(cores)));
    }

    private static void queues(ClusterUnderTest cluster, String tree) {
        cluster.queues(QueueTreeText.of(tree));
    }

    /** Submits tasks and starts as many as fit. */
    private static void fill(ClusterUnderTest cluster, String id, String queue, TaskSpec tasks) {
        cluster.submit(id, queue, tasks).cycle();
        cluster.startAll();
    }

    private static List<String> afterDelay(ClusterUnderTest cluster) {
        cluster.cycle();
        cluster.advance(Duration.ofSeconds(30)).cycle();
        return preempted(cluster);
    }

    private static List<String> preempted(ClusterUnderTest cluster) {
        return cluster.events().stream()
                .filter(TaskEvent.Stopping.class::isInstance)
                .map(TaskEvent.Stopping.class::cast)
                .map(event -> event.application() + "/" + event.task().id() + " on " + event.node())
                .toList();
    }

    /** The tasks of c come first and make the node fit, but only those of b lower what the parent uses. */
    @Test
    void victims_makeNodeAndMaximumFit(ClusterUnderTest cluster) {
        queues(cluster, """
                root
                ├─ p          max(vcore 4)
                │  ├─ a       guaranteed(vcore 1)
                │  └─ b
                └─ c
                """);
        cluster.node("n", "vcore", "6");
        fill(cluster, "b", "root.p.b", cores(4, 1));
        fill(cluster, "c", "root.c", cores(2, 1).withPriority(-1));
        cluster.submit("x", "root.p.a", cores(1, 1));

        assertThat(afterDelay(cluster)).containsExactly("b/t-3 on n");
    }

    /** Each of two tasks could be preempted, but not both. */
    @Test
    void victims_together_keepGuarantee(ClusterUnderTest cluster) {
        queues(cluster, """
                root
                ├─ a    guaranteed(vcore 2)
                └─ b    guaranteed(vcore 1)
                """);
        cluster.node("n", "vcore", "2");
        fill(cluster, "b", "root.b", cores(2, 1));
        cluster.submit("x", "root.a", cores(1, 2));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    @Test
    void task_notStarted_isNoVictim(ClusterUnderTest cluster) {
        queues(cluster, TREE);
        cluster.node("n", "vcore", "1").submit("b", "root.b", cores(1, 1)).cycle();
        cluster.submit("x", "root.a", cores(1, 1));
        assertThat(afterDelay(cluster)).isEmpty();
        cluster.startAll().cycle();

        assertThat(preempted(cluster)).containsExactly("b/t-0 on n");
    }

    @Test
    void task_onNodeThatIsNotReady_isNoVictim(ClusterUnderTest cluster) {
        queues(cluster, TREE);
        cluster.node("n1", "vcore", "1").node("n2", "vcore", "1");
        fill(
                cluster,
                "safe",
                "root.b",
                cores(1, 1).withConstraints(Map.of(), "n1").withPreemptible(false));
        fill(cluster, "b", "root.b", cores(1, 1).withConstraints(Map.of(), "n2"));
        cluster.offline("n2").submit("x", "root.a", cores(1, 1));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    @Test
    void task_onNodeThatBeneficiaryExcludes_isNoVictim(ClusterUnderTest cluster) {
        queues(cluster, TREE);
        cluster.node("n1", "vcore", "1").node("n2", "vcore", "1");
        fill(cluster, "b", "root.b", cores(2, 1));
        cluster.submit("x", "root.a", cores(1, 1).withConstraints(Map.of(), "n2"));

        assertThat(afterDelay(cluster)).hasSize(1).allMatch(victim -> victim.endsWith(" on n2"));
    }

    /** The most recently started task is the one that the pending task must run beside. */
    @Test
    void task_thatBeneficiaryNeeds_isNoVictim(ClusterUnderTest cluster) {
        queues(cluster, TREE);
        cluster.node("n", "vcore", "2");
        fill(cluster, "other", "root.b", cores(1, 1));
        cluster.advance(Duration.ofSeconds(1));
        fill(cluster, "needed", "root.b", cores(1, 1).withConstraints(constraints("web", List.of())));
        TaskTerm beside = new TaskTerm(LabelSelector.of(Map.of("app", "web"), List.of()), Topology.HOST);
        cluster.submit("x", "root.a", cores(1, 1).withConstraints(constraints("x", List.of(beside))));

        assertThat(afterDelay(cluster)).containsExactly("other/t-0 on n");
    }

    private static Constraints constraints(String app, List<TaskTerm> beside) {
        return Constraints.ofSelector(Map.of())
                .withTasks(new TaskConstraints(
                        new TreeMap<>(Map.of("app", app)),
                        new TaskAffinity(beside, List.of()),
                        TaskAffinity.NONE,
                        List.of(),
                        List.of(),
                        0));
    }

    /** The node that is used less comes first in node order, and was added last. */
    @Test
    void node_amongEquallyCheap_isFirstInNodeOrder(ClusterUnderTest cluster) {
        queues(cluster, TREE);
        cluster.node("n1", "vcore", "2").node("n2", "vcore", "3");
        fill(cluster, "b1", "root.b", cores(1, 2).withConstraints(Map.of(), "n1"));
        fill(cluster, "b2", "root.b", cores(1, 2).withConstraints(Map.of(), "n2"));
        cluster.submit("x", "root.a", cores(1, 2));

        assertThat(afterDelay(cluster)).containsExactly("b2/t-0 on n2");
    }

    @Test
    void guarantee_ofOtherResource_preemptsNothing(ClusterUnderTest cluster) {
        queues(cluster, """
                root
                ├─ a    guaranteed(gpu 1)
                └─ b
                """);
        cluster.node("n", "vcore", "1", "gpu", "1");
        fill(cluster, "b", "root.b", cores(1, 1));
        cluster.submit("x", "root.a", cores(1, 1));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    @Test
    void guarantee_belowUsageParent_preemptsNothing(ClusterUnderTest cluster) {
        queues(cluster, """
                root    usage
                ├─ a    guaranteed(vcore 1)
                └─ b
                """);
        cluster.node("n", "vcore", "1");
        fill(cluster, "b", "root.b", cores(1, 1));
        cluster.submit("x", "root.a", cores(1, 1));

        assertThat(afterDelay(cluster)).isEmpty();
    }

    @Test
    void task_ofEqualPriority_isNoVictimOfPriority(ClusterUnderTest cluster) {
        queues(cluster, "root\n└─ a    bypriority\n");
        cluster.node("n", "vcore", "1");
        fill(cluster, "b", "root.a", cores(1, 1).withPriority(3));
        cluster.submit("x", "root.a", cores(1, 1).withPriority(3));
        assertThat(afterDelay(cluster)).isEmpty();
        cluster.submit("y", "root.a", cores(1, 1).withPriority(4));

        assertThat(afterDelay(cluster)).containsExactly("b/t-0 on n");
    }

    /** More than one victim would lower the number of running tasks of a class that may reclaim loans. */
    @Test
    void victims_ofPriorityInLoadClass_areOne(ClusterUnderTest cluster) {
        queues(cluster, """
                root       load threshold(50)
                ├─ a       percent(50) bypriority
                └─ b       percent(50)
                """);
        cluster.node("n", "vcore", "2");
        fill(cluster, "low", "root.a", cores(2, 1));
        cluster.submit("large", "root.a", cores(1, 2).withPriority(5));
        assertThat(afterDelay(cluster)).isEmpty();
        cluster.submit("small", "root.a", cores(1, 1).withPriority(4));

        assertThat(afterDelay(cluster)).containsExactly("low/t-1 on n");
    }

    @Test
    void task_ofHigherPriorityBelowQueueThatIgnoresThem_isVictim(ClusterUnderTest cluster) {
        queues(cluster, """
                root       priorities(disabled)
                ├─ a       guaranteed(vcore 1)
                └─ b
                """);
        cluster.node("n", "vcore", "1");
        fill(cluster, "b", "root.b", cores(1, 1).withPriority(5));
        cluster.submit("x", "root.a", cores(1, 1));

        assertThat(afterDelay(cluster)).containsExactly("b/t-0 on n");
    }

    /** A fence shows its own offset, whatever the queues below it add. */
    @Test
    void task_behindPriorityFence_hasThePriorityOfTheFence(ClusterUnderTest cluster) {
        queues(cluster, """
                root
                ├─ a       guaranteed(vcore 1)
                └─ b       fence
                   └─ c    offset(5)
                """);
        cluster.node("n", "vcore", "1");
        fill(cluster, "c", "root.b.c", cores(1, 1));
        cluster.submit("x", "root.a", cores(1, 1));

        assertThat(afterDelay(cluster)).containsExactly("c/t-0 on n");
    }

    @Test
    void guarantee_ofLeafAndParent_takesFromSibling(ClusterUnderTest cluster) {
        queues(cluster, """
                root
                ├─ p       guaranteed(vcore 2)
                │  ├─ a    guaranteed(vcore 1)
                │  └─ b
                └─ c
                """);
        cluster.node("n", "vcore", "1");
        fill(cluster, "b", "root.p.b", cores(1, 1));
        cluster.submit("x", "root.p.a", cores(1, 1));

        assertThat(afterDelay(cluster)).containsExactly("b/t-0 on n");
    }

    /** Neither a guarantee nor a maximum of memory concerns a task that requests none. */
    @ParameterizedTest
    @CsvSource({"'memory 1Gi', 0", "'vcore 2, memory 1Gi', 1"})
    void guaranteeAndMaximum_ofWhatIsNotRequested_doNotCount(String guaranteed, int victims, ClusterUnderTest cluster) {
        String tree = """
                root
                ├─ a       guaranteed(%s)%s
                └─ b
                """;
        queues(cluster, tree.formatted(guaranteed, ""));
        cluster.node("n", "vcore", "1", "memory", "2Gi", "gpu", "1");
        fill(cluster, "b", "root.b", cores(1, 1));
        if (victims > 0) {
            fill(cluster, "memory", "root.a", TaskSpec.of("t", 1, Resources.parse("memory", "2Gi")));
            queues(cluster, tree.formatted(guaranteed, " max(memory 1Gi)"));
        }
        cluster.submit("x", "root.a", TaskSpec.of("t", 1, Resources.parse("vcore", "1", "gpu", "1")));

        assertThat(afterDelay(cluster)).hasSize(victims);
    }

    /** A task that started before its specification was changed has a higher priority than the one that follows. */
    @Test
    void task_ofChangedSpecification_isJudgedByItsOwn(ClusterUnderTest cluster) {
        queues(cluster, TREE);
        cluster.node("n", "vcore", "1");
        fill(cluster, "b", "root.b", cores(2, 1).withPriority(9));
        cluster.update("b", new ApplicationUpdate(null, null, 0, null, Resources.NONE))
                .updateNode("n", "vcore", "2")
                .cycle();
        cluster.startAll().submit("x", "root.a", cores(1, 1).withPriority(1));

        assertThat(afterDelay(cluster)).containsExactly("b/t-1 on n");
    }
}
