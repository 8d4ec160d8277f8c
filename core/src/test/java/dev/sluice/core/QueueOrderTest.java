package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

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
 * The order of child queues under {@code fair}: dominant share, then the next largest fractions, then more pending
 * first, then path.
 */
@ExtendWith(SchedulerExtension.class)
class QueueOrderTest {

    @Test
    void queues_withEqualShare_alternateByPath(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ b
                └─ a
                """, "a:4×vcore=1 b:4×vcore=1", "a b a b a b a b");
    }

    @Test
    void share_withGuaranteed_isRelativeToGuaranteed(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a   guaranteed(vcore 1)
                └─ b   guaranteed(vcore 3)
                """, "a:8×vcore=1 b:8×vcore=1", "a b b b a b b b");
    }

    @Test
    void share_withoutGuaranteed_isRelativeToMaximum(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a   max(vcore 2)
                └─ b   max(vcore 6)
                """, "a:8×vcore=1 b:8×vcore=1", "a b b b a b b b");
    }

    @Test
    void share_withGuaranteedAndMaximum_isRelativeToGuaranteed(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a   guaranteed(vcore 1) max(vcore 8)
                └─ b   guaranteed(vcore 3) max(vcore 4)
                """, "a:8×vcore=1 b:8×vcore=1", "a b b b a b a a");
    }

    @Test
    void share_withoutQuotas_isRelativeToPartitionTotal(ClusterUnderTest cluster) {
        // 1 ÷ 2 of a's guaranteed amount equals 4 ÷ 8 of the total
        check(cluster, """
                root
                ├─ a   guaranteed(vcore 2)
                └─ b
                """, "a:8×vcore=1 b:8×vcore=1", "a b b b b a b b");
    }

    @Test
    void share_ofTypeWithoutGuarantee_isRelativeToTotal(ClusterUnderTest cluster) {
        // a is only guaranteed cores: its memory is relative to the total, 8Gi
        check(cluster, """
                root
                ├─ a   guaranteed(vcore 8)
                └─ b
                """, "a:4×memory=2Gi b:4×vcore=1", "a b b a b b a a");
    }

    @Test
    void shares_withEqualLargest_compareNextLargest(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a
                └─ b
                """)).node("n", "vcore", "8", "memory", "8Gi");
        cluster.submit("a", "root.a", TaskSpec.of("t", 2, Resources.parse("vcore", "2", "memory", "1Gi")));
        cluster.submit("b", "root.b", TaskSpec.of("t", 2, Resources.parse("vcore", "2", "memory", "512Mi")));

        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n", "b/t-0 -> n", "b/t-1 -> n", "a/t-1 -> n");
    }

    @Test
    void queues_withEqualShare_morePendingGoesFirst(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a
                ├─ b
                └─ c
                """, "a:1×vcore=1 b:2×vcore=1 c:3×vcore=1", "c b a c b c");
    }

    @Test
    void pending_ofDifferentTypes_comparesLargestFraction(ClusterUnderTest cluster) {
        // 3 of 8 cores are less than 4 of 8 GiB
        check(cluster, """
                root
                ├─ a
                └─ b
                """, "a:3×vcore=1 b:1×memory=4Gi", "b a a a");
    }

    @Test
    void parents_withManyOrFewChildren_areServedEqually(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ p
                │  ├─ a
                │  ├─ b
                │  └─ c
                └─ q
                   └─ d
                """, "a:2×vcore=1 b:2×vcore=1 c:2×vcore=1 d:6×vcore=1", "a d b d c d a d");
    }

    @Test
    void share_ofUnknownType_isZero(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a   guaranteed(gpu 4)
                └─ b
                """, "a:4×vcore=1 b:4×vcore=1", "a b a b a b a b");
    }

    @Test
    void shares_whenNodesDeclareSlots_includeSlots(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a
                └─ b
                """)).node("n", "vcore", "8", "slots", "8");
        cluster.submit("a", "root.a", TaskSpec.of("t", 5, Resources.parse("vcore", "100m")));
        cluster.submit("b", "root.b", TaskSpec.of("t", 2, Resources.parse("vcore", "2")));

        // a has more pending: 5 ÷ 8 of the slots; after its third task a has 3 ÷ 8 of the slots, b 2 ÷ 8 of the cores
        assertThat(cluster.cycle())
                .containsExactly(
                        "a/t-0 -> n",
                        "b/t-0 -> n",
                        "a/t-1 -> n",
                        "a/t-2 -> n",
                        "b/t-1 -> n",
                        "a/t-3 -> n",
                        "a/t-4 -> n");
    }

    @Test
    void shares_afterNodeAdded_useNewTotal(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a   guaranteed(vcore 4)
                └─ b
                """)).node("n", "vcore", "2");
        cluster.submit("a", "root.a", TaskSpec.of("t", 9, Resources.parse("vcore", "1")));
        cluster.submit("b", "root.b", TaskSpec.of("t", 9, Resources.parse("vcore", "1")));
        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n", "b/t-0 -> n");

        // a has 1 ÷ 4; b had 1 ÷ 2 and now has 1 ÷ 10
        cluster.node("m", "vcore", "8");

        assertThat(cluster.cycle().subList(0, 3)).containsExactly("b/t-1 -> m", "b/t-2 -> m", "a/t-1 -> m");
    }

    /**
     * Checks the order of leaves whose tasks are placed. {@code a:4×vcore=1} submits four tasks of one core to the leaf
     * a; the node has 8 cores and 8 GiB.
     */
    private static void check(ClusterUnderTest cluster, String drawing, String submissions, String order) {
        cluster.queues(QueueTreeText.of(drawing)).node("n", "vcore", "8", "memory", "8Gi");
        for (String submission : submissions.split(" ", -1)) {
            String[] parts = submission.split("[:×=]", -1);
            String path = cluster.partition().queues().all().stream()
                    .filter(queue -> queue.name().equals(parts[0]))
                    .findFirst()
                    .orElseThrow()
                    .path();
            Resources resources = Resources.parse(parts[2], parts[3]);
            cluster.submitSealed(parts[0], path, TaskSpec.of("t", Integer.parseInt(parts[1]), resources));
        }
        List<String> leaves = new ArrayList<>();

        cluster.cycle().forEach(placement -> leaves.add(placement.substring(0, placement.indexOf('/'))));

        assertThat(String.join(" ", leaves)).isEqualTo(order);
    }
}
