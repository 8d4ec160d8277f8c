package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The cases of YuniKorn's user guide to preemption, the flows of its design document, and its seven laws, by their
 * names there. The amounts are cores. Where Sluice decides otherwise, the test says so.
 */
@ExtendWith(SchedulerExtension.class)
class YuniKornPreemptionTest {

    private static TaskSpec cores(int count, int cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(cores)));
    }

    private static ClusterUnderTest cluster(ClusterUnderTest cluster, String tree, int cores) {
        return cluster.queues(QueueTreeText.of(tree)).node("n", "vcore", String.valueOf(cores));
    }

    /** Submits an application named after its queue and starts what fits. */
    private static void deploy(ClusterUnderTest cluster, String queue, TaskSpec tasks) {
        cluster.submit(queue.substring(queue.lastIndexOf('.') + 1), queue, tasks)
                .cycle();
        cluster.startAll().advance(Duration.ofSeconds(1));
    }

    /** Runs cycles until nothing is preempted any more; victims end at once. */
    private static void settle(ClusterUnderTest cluster) {
        boolean preempts = true;
        cluster.cycle();
        while (preempts) {
            cluster.advance(Duration.ofSeconds(10)).cycle();
            preempts = cluster.events().stream().anyMatch(event -> event instanceof TaskEvent.Stopping);
            cluster.placed().stream()
                    .filter(task -> task.isPreempting())
                    .forEach(task -> cluster.fail(task.toString(), 143));
            cluster.startAll();
        }
    }

    private static long used(ClusterUnderTest cluster, String queue) {
        return cluster.queue(queue).allocated(cluster.partition().types().find("vcore")) / 1000;
    }

    @Test
    void generalPreemptionCase(ClusterUnderTest cluster) {
        cluster(cluster, """
                root            delay(PT10S)
                └─ normal       max(vcore 12)
                   ├─ queue-1   guaranteed(vcore 5) max(vcore 10)
                   └─ queue-2   guaranteed(vcore 5) max(vcore 10)
                """, 20);
        deploy(cluster, "root.normal.queue-1", cores(10, 1));
        deploy(cluster, "root.normal.queue-2", cores(10, 1));
        assertThat(used(cluster, "root.normal.queue-2")).isEqualTo(2);
        settle(cluster);

        assertThat(used(cluster, "root.normal.queue-1")).isEqualTo(7);
        assertThat(used(cluster, "root.normal.queue-2")).isEqualTo(5);
    }

    /** The guide says 6 and 6. Sluice preempts for what is guaranteed only, as the design document says (law 4). */
    @Test
    void preemptionCaseWithoutGuaranteedResources(ClusterUnderTest cluster) {
        cluster(cluster, """
                root                  delay(PT10S)
                └─ no-guaranteed      max(vcore 12)
                   ├─ queue-1         max(vcore 10)
                   └─ queue-2         max(vcore 10)
                """, 20);
        deploy(cluster, "root.no-guaranteed.queue-1", cores(10, 1));
        deploy(cluster, "root.no-guaranteed.queue-2", cores(10, 1));
        settle(cluster);

        assertThat(used(cluster, "root.no-guaranteed.queue-1")).isEqualTo(10);
        assertThat(used(cluster, "root.no-guaranteed.queue-2")).isEqualTo(2);
    }

    /** {@code allow-preemption: false} is {@code preemptible: false}: never a victim, not the last resort. */
    @Test
    void priorityClass(ClusterUnderTest cluster) {
        cluster(cluster, """
                root                  delay(PT10S)
                └─ priority-class     max(vcore 16)
                   ├─ queue-1         guaranteed(vcore 3) max(vcore 8)
                   ├─ queue-2         guaranteed(vcore 3) max(vcore 8)
                   └─ queue-3         guaranteed(vcore 3) max(vcore 8)
                """, 20);
        deploy(cluster, "root.priority-class.queue-1", cores(8, 1));
        deploy(cluster, "root.priority-class.queue-2", cores(8, 1).withPreemptible(false));
        deploy(cluster, "root.priority-class.queue-3", cores(8, 1));
        settle(cluster);

        assertThat(used(cluster, "root.priority-class.queue-1")).isEqualTo(5);
        assertThat(used(cluster, "root.priority-class.queue-2")).isEqualTo(8);
        assertThat(used(cluster, "root.priority-class.queue-3")).isEqualTo(3);
    }

    @Test
    void priorityQueue(ClusterUnderTest cluster) {
        cluster(cluster, """
                root                     delay(PT10S)
                └─ priority-queue        max(vcore 18)
                   ├─ high-priority      guaranteed(vcore 6) max(vcore 10) offset(100)
                   ├─ normal-priority    guaranteed(vcore 6) max(vcore 18)
                   └─ low-priority       guaranteed(vcore 6) max(vcore 10) offset(-100)
                """, 20);
        deploy(cluster, "root.priority-queue.normal-priority", cores(6, 3));
        deploy(cluster, "root.priority-queue.high-priority", cores(5, 3));
        deploy(cluster, "root.priority-queue.low-priority", cores(5, 3));
        settle(cluster);

        assertThat(used(cluster, "root.priority-queue.high-priority")).isEqualTo(6);
        assertThat(used(cluster, "root.priority-queue.normal-priority")).isEqualTo(12);
        assertThat(used(cluster, "root.priority-queue.low-priority")).isZero();
    }

    private static final String FENCE = """
            root               delay(PT10S)
            └─ fence           max(vcore 30) preemption(fence)
               ├─ tenant-a     max(vcore 15) guaranteed(vcore 5) preemption(fence)
               │  ├─ queue-1   max(vcore 15) guaranteed(vcore 2)
               │  └─ queue-2   max(vcore 15) guaranteed(vcore 2) preemption(fence)
               ├─ tenant-b     max(vcore 15) guaranteed(vcore 10) preemption(fence)
               │  └─ queue-3   max(vcore 15) guaranteed(vcore 10)
               └─ system       max(vcore 15) guaranteed(vcore 10)
            """;

    /** First case: queue-2 is fenced and gets nothing from queue-1. */
    @Test
    void preemptionFence_ofLeaf(ClusterUnderTest cluster) {
        cluster(cluster, FENCE, 30);
        deploy(cluster, "root.fence.tenant-a.queue-1", cores(15, 1));
        deploy(cluster, "root.fence.tenant-a.queue-2", cores(15, 1));
        settle(cluster);

        assertThat(used(cluster, "root.fence.tenant-a.queue-1")).isEqualTo(15);
        assertThat(used(cluster, "root.fence.tenant-a.queue-2")).isZero();
    }

    /**
     * Second case: system takes ten from both tenants. The guide shows five from each; Sluice takes each victim from
     * the leaf with the largest share of its guarantee, and no tenant falls below its own.
     */
    @Test
    void preemptionFence_ofTenants(ClusterUnderTest cluster) {
        cluster(cluster, FENCE, 30);
        deploy(cluster, "root.fence.tenant-a.queue-1", cores(15, 1));
        deploy(cluster, "root.fence.tenant-a.queue-2", cores(15, 1));
        deploy(cluster, "root.fence.tenant-b.queue-3", cores(15, 1));
        deploy(cluster, "root.fence.system", cores(15, 1));
        settle(cluster);

        assertThat(used(cluster, "root.fence.system")).isEqualTo(10);
        assertThat(used(cluster, "root.fence.tenant-a")).isGreaterThanOrEqualTo(5);
        assertThat(used(cluster, "root.fence.tenant-b")).isGreaterThanOrEqualTo(10);
        assertThat(used(cluster, "root.fence.tenant-a.queue-2")).isZero();
        assertThat(used(cluster, "root.fence")).isEqualTo(30);
    }

    private static final String PROD_AND_TEST = """
            root         delay(PT10S)
            ├─ prod      guaranteed(vcore %s)
            └─ test      guaranteed(vcore %s)
            """;

    /** Both end at or above their guarantee, and the victim's replacement waits. */
    @Test
    void preemptionFlowCase1(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(3, 3), 8);
        deploy(cluster, "root.prod", cores(2, 1));
        deploy(cluster, "root.test", cores(6, 1));
        cluster.submit("more", "root.prod", cores(3, 1));
        settle(cluster);

        assertThat(used(cluster, "root.prod")).isEqualTo(3);
        assertThat(used(cluster, "root.test")).isEqualTo(5);
    }

    /** Test is above its guarantee but would fall below it: nothing is preempted. */
    @Test
    void preemptionFlowCase2(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(4, 3), 4);
        deploy(cluster, "root.test", cores(2, 2));
        cluster.submit("more", "root.prod", cores(2, 1));
        settle(cluster);

        assertThat(used(cluster, "root.prod")).isZero();
        assertThat(used(cluster, "root.test")).isEqualTo(4);
    }

    /** Prod stays below its guarantee with the first task and preempts on. */
    @Test
    void preemptionFlowCase3(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(6, 2), 8);
        deploy(cluster, "root.test", cores(8, 1));
        cluster.submit("more", "root.prod", cores(9, 1));
        settle(cluster);

        assertThat(used(cluster, "root.prod")).isEqualTo(6);
        assertThat(used(cluster, "root.test")).isEqualTo(2);
    }

    /** Here a request not to be preempted is a guarantee. */
    @Test
    void law1_policiesAreSuggestions(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(1, 0), 1);
        deploy(cluster, "root.test", cores(1, 1).withPreemptible(false));
        cluster.submit("x", "root.prod", cores(1, 1));
        settle(cluster);

        assertThat(used(cluster, "root.test")).isEqualTo(1);
    }

    @Test
    void law2_neverLeavesQueueBelowItsGuarantee(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(6, 4), 8);
        deploy(cluster, "root.test", cores(8, 1));
        cluster.submit("x", "root.prod", cores(6, 1));
        settle(cluster);

        assertThat(used(cluster, "root.test")).isEqualTo(4);
    }

    @Test
    void law3_notInSameApplication(ClusterUnderTest cluster) {
        cluster(cluster, "root delay(PT10S)\n└─ a   bypriority guaranteed(vcore 2)\n", 1);
        deploy(cluster, "root.a", cores(1, 1));
        Instant before = cluster.now();
        cluster.add("a", TaskSpec.of("u", 1, Resources.parse("vcore", "1")).withPriority(9));
        settle(cluster);

        assertThat(cluster.now()).isAfter(before);
        assertThat(cluster.placed()).extracting(String::valueOf).containsExactly("a/t-0");
    }

    @Test
    void law4_onlyBelowGuarantee(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(2, 1), 8);
        deploy(cluster, "root.prod", cores(2, 1));
        deploy(cluster, "root.test", cores(6, 1));
        cluster.submit("x", "root.prod", cores(1, 1));
        settle(cluster);

        assertThat(used(cluster, "root.prod")).isEqualTo(2);
    }

    @Test
    void law5_victimsAboveGuaranteeOnly(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(4, 4), 4);
        deploy(cluster, "root.test", cores(4, 1));
        cluster.submit("x", "root.prod", cores(4, 1));
        settle(cluster);

        assertThat(used(cluster, "root.test")).isEqualTo(4);
    }

    @Test
    void law6_lowerOrEqualPriorityOnly(ClusterUnderTest cluster) {
        cluster(cluster, PROD_AND_TEST.formatted(2, 0), 3);
        cluster.submit("high", "root.test", cores(1, 1).withPriority(1));
        cluster.submit("equal", "root.test", cores(1, 1));
        deploy(cluster, "root.test", cores(1, 1).withPriority(-1));
        cluster.submit("x", "root.prod", cores(2, 1));
        settle(cluster);

        assertThat(cluster.application("high").pending()).isZero();
        assertThat(used(cluster, "root.prod")).isEqualTo(2);
    }

    @Test
    void law7_notOutsideFence(ClusterUnderTest cluster) {
        cluster(cluster, """
                root           delay(PT10S)
                ├─ tenant      preemption(fence)
                │  └─ a        guaranteed(vcore 1)
                └─ other
                """, 1);
        deploy(cluster, "root.other", cores(1, 1));
        cluster.submit("x", "root.tenant.a", cores(1, 1));
        settle(cluster);

        assertThat(used(cluster, "root.other")).isEqualTo(1);
    }
}
