package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Priorities of queues, applications and tasks: offsets, fences and disabled priorities. */
@ExtendWith(SchedulerExtension.class)
class PriorityTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    @Test
    void queues_ofDifferentPriority_higherGoesFirst(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a
                └─ b
                """, "a:0 b:5", "b a");
    }

    @Test
    void queues_ofNegativePriority_goLast(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a
                └─ b
                """, "a:-1 b:0", "b a");
    }

    @Test
    void queue_withOffset_addsItToHighestPriority(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a
                ├─ b   offset(10)
                └─ c   offset(-10)
                """, "a:5 b:0 c:11", "b a c");
    }

    @Test
    void offsets_ofSeveralLevels_addUp(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a
                └─ p      offset(3)
                   └─ b   offset(3)
                """, "a:5 b:0", "b a");
    }

    @Test
    void fencedQueue_anyTaskPriorities_hasOffsetOnly(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a
                └─ p      fence
                   ├─ x
                   └─ y   offset(7)
                """, "a:1 x:100 y:100", "a y x");
    }

    @Test
    void fencedQueue_withOffset_isOrderedByOffset(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a
                └─ p      fence offset(2)
                   └─ x
                """, "a:1 x:0", "x a");
    }

    @Test
    void priorities_disabledAtRoot_areIgnoredEverywhere(ClusterUnderTest cluster) {
        check(cluster, """
                root      priorities(disabled)
                ├─ a
                └─ b      offset(10)
                """, "a:0 a:9 b:9", "a0 b9 a9");
    }

    @Test
    void priorities_enabledBelowDisabledRoot_countThere(ClusterUnderTest cluster) {
        check(cluster, """
                root      priorities(disabled)
                ├─ a      priorities(enabled)
                └─ b
                """, "a:0 a:9 b:0 b:9", "a9 b0 a0 b9");
    }

    @Test
    void priorities_disabledAtParent_countOnlyAboveIt(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ p      priorities(disabled)
                │  ├─ x
                │  └─ y
                └─ z
                """, "x:0 y:9 z:5", "x y z");
    }

    @Test
    void priorities_disabledAtLeaf_keepSubmissionOrder(ClusterUnderTest cluster) {
        check(cluster, """
                root
                └─ a   priorities(disabled)
                """, "a:0 a:9 a:5", "a0 a9 a5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "fair"})
    void applications_ofDifferentPriority_higherGoesFirst(String policy, ClusterUnderTest cluster) {
        check(cluster, """
                root
                └─ a   %s
                """.formatted(policy), "a:0 a:9 a:5", "a9 a5 a0");
    }

    @Test
    void stateaware_differentPriorities_startsHighestFirst(ClusterUnderTest cluster) {
        check(cluster, """
                root
                └─ a   stateaware
                """, "a:0 a:9 a:5", "a9");
    }

    @Test
    void stateaware_prioritiesDisabled_startsOldestFirst(ClusterUnderTest cluster) {
        check(cluster, """
                root
                └─ a   stateaware priorities(disabled)
                """, "a:0 a:9 a:5", "a0");
    }

    @Test
    void priorities_atRangeLimits_doNotOverflow(ClusterUnderTest cluster) {
        check(cluster, """
                root
                ├─ a   offset(-2147483648)
                ├─ b
                └─ c   offset(2147483647)
                """, "a:-2147483648 b:2147483647 c:2147483647", "c b a");
    }

    @Test
    void application_withMixedPriorities_hasHighestPendingPriority(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a
                """)).node("n", "vcore", "8");
        cluster.submit(
                "first",
                "root.a",
                TaskSpec.single("low", CORE).withPriority(1),
                TaskSpec.single("high", CORE).withPriority(9));
        cluster.submit("second", "root.a", TaskSpec.single("middle", CORE).withPriority(5));

        assertThat(cluster.cycle()).containsExactly("first/high -> n", "second/middle -> n", "first/low -> n");
    }

    @Test
    void queue_highestTaskPlaced_hasPriorityOfRest(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a
                └─ b
                """)).node("n", "vcore", "8");
        cluster.submit(
                "in-a",
                "root.a",
                TaskSpec.of("high", 2, CORE).withPriority(9),
                TaskSpec.single("low", CORE).withPriority(1));
        cluster.submit("in-b", "root.b", TaskSpec.single("middle", CORE).withPriority(5));

        assertThat(cluster.cycle())
                .containsExactly("in-a/high-0 -> n", "in-a/high-1 -> n", "in-b/middle -> n", "in-a/low -> n");
    }

    /**
     * Checks the placement order of applications. {@code a:9} submits an application with one task of priority 9 to the
     * leaf a, in the given order; {@code a} and {@code a9} are the names of results.
     */
    private static void check(ClusterUnderTest cluster, String drawing, String submissions, String order) {
        cluster.queues(QueueTreeText.of(drawing)).node("n", "vcore", "100");
        for (String submission : submissions.split(" ", -1)) {
            String leaf = submission.substring(0, submission.indexOf(':'));
            int priority = Integer.parseInt(submission.substring(submission.indexOf(':') + 1));
            String path = cluster.partition().queues().all().stream()
                    .filter(queue -> queue.name().equals(leaf))
                    .findFirst()
                    .orElseThrow()
                    .path();
            String id = order.matches(".*[0-9].*") ? leaf + priority : leaf;
            cluster.submit(id, path, TaskSpec.of("t", 1, CORE).withPriority(priority))
                    .advance(Duration.ofSeconds(1));
        }
        List<String> expected = List.of(order.split(" ", -1)).stream()
                .map(id -> id + "/t-0 -> n")
                .toList();

        List<String> placed = cluster.cycle();

        assertThat(placed).isEqualTo(expected);
    }
}
