package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Quotas: {@code max} is a hard limit on every level, {@code guaranteed} limits nothing, {@code maxapplications} counts
 * active applications.
 */
@ExtendWith(SchedulerExtension.class)
class QuotaTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void max_ofLeaf_limitsOnlyThatLeaf(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a   max(vcore 2)
                └─ b
                """, "a=2 b=4");
    }

    @Test
    void max_ofParent_limitsSumOfChildren(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ p      max(vcore 3)
                │  ├─ a   max(vcore 2)
                │  └─ b   max(vcore 3)
                └─ c
                """, "a=1 b=2 c=4");
    }

    @Test
    void max_ofRoot_limitsAllQueues(ClusterUnderTest cluster) {
        check(cluster, """
                root    max(vcore 3)
                ├─ a
                └─ b
                """, "a=2 b=1");
    }

    @Test
    void max_zero_startsNothing(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a   max(vcore 0)
                └─ b
                """, "a=0 b=4");
    }

    @Test
    void max_ofOtherResourceType_doesNotLimit(ClusterUnderTest cluster) {
        check(cluster, """
                root
                └─ a   max(memory 0, gpu 0)
                """, "a=4");
    }

    @Test
    void max_ofSlots_limitsNumberOfTasks(ClusterUnderTest cluster) {
        check(cluster, """
                root
                └─ a   max(slots 3)
                """, "a=3");
    }

    @Test
    void guaranteed_withoutCompetition_limitsNothing(ClusterUnderTest cluster) {
        check(cluster, """
                root       guaranteed(vcore 2)
                └─ a       guaranteed(vcore 1)
                """, "a=4");
    }

    /** Submits four tasks of one core to every leaf, on a node that fits all of them; returns how many run. */
    private static void check(ClusterUnderTest cluster, String drawing, String running) {
        cluster.queues(QueueTreeText.of(drawing)).node("n", "vcore", "100");
        List<String> leaves = new ArrayList<>();
        cluster.partition().queues().all().stream()
                .filter(queue -> queue.isLeaf())
                .forEach(queue -> leaves.add(queue.path()));
        leaves.forEach(leaf -> cluster.submit("on-" + leaf, leaf, TaskSpec.of("t", 4, CORE)));

        cluster.cycle();

        List<String> found = new ArrayList<>();
        leaves.forEach(leaf ->
                found.add(cluster.queue(leaf).name() + "=" + cluster.queue(leaf).allocatedTasks()));
        assertThat(String.join(" ", found)).isEqualTo(running);
        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void task_exceedingMaximum_doesNotBlockSmallerOne(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   max(vcore 2)
                """)).node("n", "vcore", "8");
        cluster.submit(
                "app",
                "root.a",
                TaskSpec.of("large", 2, Resources.parse("vcore", "3")).withPriority(9),
                TaskSpec.of("small", 3, CORE));

        assertThat(cluster.cycle()).containsExactly("app/small-0 -> n", "app/small-1 -> n");
    }

    @Test
    void max_loweredBelowAllocated_neitherStopsNorStarts(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   max(vcore 4)
                """)).node("n", "vcore", "8");
        cluster.submit("app", "root.a", TaskSpec.of("t", 6, CORE)).cycle();

        cluster.queues(QueueTreeText.of("""
                root
                └─ a   max(vcore 2)
                """));
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.placed()).hasSize(4);
        cluster.succeed("app/t-0").succeed("app/t-1");
        assertThat(cluster.cycle()).isEmpty();
        cluster.succeed("app/t-2");
        assertThat(cluster.cycle()).containsExactly("app/t-4 -> n");
    }

    @Test
    void maxApplications_ofLeaf_countsActiveApplications(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   applications(2)
                """)).node("n", "vcore", "8");
        for (String id : List.of("a1", "a2", "a3", "a4")) {
            cluster.submit(id, "root.a", TaskSpec.of("t", 2, CORE));
        }
        assertThat(cluster.cycle()).containsExactly("a1/t-0 -> n", "a1/t-1 -> n", "a2/t-0 -> n", "a2/t-1 -> n");

        cluster.succeed("a1/t-0");
        assertThat(cluster.cycle()).isEmpty();
        cluster.succeed("a1/t-1");
        assertThat(cluster.state("a1")).isEqualTo(ApplicationState.COMPLETING);
        assertThat(cluster.cycle()).containsExactly("a3/t-0 -> n", "a3/t-1 -> n");
    }

    @Test
    void maxApplications_reached_activeApplicationStartsMore(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   applications(1)
                """)).node("n", "vcore", "8");
        cluster.submit("a2", "root.a", TaskSpec.single("t", CORE)).cycle();
        cluster.submit("a1", "root.a", TaskSpec.single("t", CORE).withPriority(5));
        cluster.add("a2", TaskSpec.single("u", CORE));

        assertThat(cluster.cycle()).containsExactly("a2/u -> n");
    }

    @Test
    void maxApplications_ofParent_countsAllBelow(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ p      applications(2)
                │  ├─ a   applications(1)
                │  └─ b   applications(2)
                └─ c
                """)).node("n", "vcore", "8");
        for (String id : List.of("a1", "a2", "b1", "b2", "c1")) {
            String queue = id.startsWith("c") ? "root.c" : "root.p." + id.charAt(0);
            cluster.submit(id, queue, TaskSpec.single("t", CORE));
        }
        assertThat(cluster.cycle()).containsExactly("a1/t -> n", "c1/t -> n", "b1/t -> n");

        cluster.succeed("b1/t");
        assertThat(cluster.cycle()).containsExactly("b2/t -> n");
        cluster.succeed("a1/t");
        assertThat(cluster.cycle()).containsExactly("a2/t -> n");
    }

    @Test
    void maxApplications_activeApplicationLosesAll_admitsAnother(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   applications(1)
                """)).node("n", "vcore", "8");
        cluster.submit("a1", "root.a", TaskSpec.single("t", CORE)).cycle();
        cluster.submit("a2", "root.a", TaskSpec.single("t", CORE).withPriority(1));

        cluster.lose("a1/t");

        assertThat(cluster.cycle()).containsExactly("a2/t -> n");
        assertThat(cluster.queue("root.a").activeApplications()).isEqualTo(1);
    }
}
