package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reservations for tasks that no node fits, and who may use reserved nodes (EASY backfill). */
@ExtendWith(SchedulerExtension.class)
class ReservationTest {

    private static final Duration DELAY = Duration.ofSeconds(30);

    private static TaskSpec task(int cores, int limitInSeconds) {
        TaskSpec task = TaskSpec.single("t", Resources.parse("vcore", String.valueOf(cores)));
        return limitInSeconds == 0 ? task : task.withAttempts(0, Duration.ofSeconds(limitInSeconds));
    }

    /** One leaf queue, {@code root.q}, without a delay. */
    private static ClusterUnderTest atOnce(ClusterUnderTest cluster) {
        return queues(cluster, new ReservationProperties(Duration.ZERO, null));
    }

    private static ClusterUnderTest queues(ClusterUnderTest cluster, ReservationProperties properties) {
        QueueConfiguration root =
                QueueConfiguration.parent("root", QueueConfiguration.leaf("q"), QueueConfiguration.leaf("r"));
        return cluster.configure(PartitionConfiguration.of(
                "default", root.withProperties(root.properties().withReservation(properties))));
    }

    /** Submits a task, runs a cycle and starts what was placed. */
    private static List<String> submit(ClusterUnderTest cluster, String id, TaskSpec task) {
        List<String> placed = cluster.submitSealed(id, "root.q", task).cycle();
        cluster.startAll();
        return placed;
    }

    private static List<String> reservations(ClusterUnderTest cluster) {
        return cluster.partition().reservations().all().stream()
                .map(each -> each.task().application() + " on " + each.node() + " in "
                        + Duration.between(cluster.now(), each.start()).toSeconds() + " s")
                .toList();
    }

    private static Reservation only(ClusterUnderTest cluster) {
        return cluster.partition().reservations().all().iterator().next();
    }

    private static List<String> ended(ClusterUnderTest cluster) {
        return cluster.events().stream()
                .filter(ReservationEvent.Ended.class::isInstance)
                .map(event -> ((ReservationEvent.Ended) event).reason().wireName())
                .toList();
    }

    @Test
    void task_pendingForDelay_isReservedWhereItStartsFirst(ClusterUnderTest cluster) {
        queues(cluster, ReservationProperties.DEFAULTS).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "long", task(3, 900));
        submit(cluster, "short", task(3, 600));
        submit(cluster, "large", task(4, 60));
        assertThat(reservations(cluster)).isEmpty();
        Instant due = cluster.now().plus(DELAY);
        assertThat(cluster.scheduler().scheduler().nextDue("default")).isEqualTo(due);
        cluster.advance(DELAY).cycle();

        assertThat(reservations(cluster)).containsExactly("large on b in 570 s");
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isEqualTo(only(cluster).start());
        cluster.advance(Duration.ofSeconds(570)).succeed("short/t");
        assertThat(cluster.cycle()).containsExactly("large/t -> b");
        assertThat(ended(cluster)).containsExactly("started");
        assertThat(reservations(cluster)).isEmpty();
    }

    @Test
    void backfill_endsBeforeStart_usesReservedNode(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4");
        submit(cluster, "running", task(2, 600));
        submit(cluster, "large", task(4, 60));
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s");

        assertThat(submit(cluster, "late", task(1, 601))).isEmpty();
        assertThat(submit(cluster, "unknown", task(1, 0))).isEmpty();
        assertThat(submit(cluster, "intime", task(1, 600))).containsExactly("intime/t -> a");
        assertThat(submit(cluster, "expected", task(1, 0).withExpectedDuration(Duration.ofMinutes(9))))
                .containsExactly("expected/t -> a");
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s");
    }

    @Test
    void backfill_fitsBesideReservation_usesReservedNode(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "8");
        submit(cluster, "running", task(6, 600));
        submit(cluster, "large", task(6, 60));
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s");

        assertThat(submit(cluster, "beside", task(2, 0))).containsExactly("beside/t -> a");
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s");
    }

    @Test
    void backfill_otherNodeFits_leavesReservedNode(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4").node("b", "vcore", "2");
        submit(cluster, "running", task(2, 600));
        submit(cluster, "large", task(4, 60));

        assertThat(submit(cluster, "small", task(1, 10))).containsExactly("small/t -> b");
    }

    @Test
    void reservation_runOverruns_isPlannedAgain(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4");
        submit(cluster, "running", task(2, 0).withExpectedDuration(Duration.ofSeconds(100)));
        submit(cluster, "large", task(4, 60));
        cluster.advance(Duration.ofSeconds(100)).cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 30 s");
        assertThat(only(cluster).delays()).isEqualTo(1);
        assertThat(String.valueOf(only(cluster).overrun())).isEqualTo("default/running/t#1");
        assertThat(only(cluster).since()).isEqualTo(ClusterUnderTest.BEGIN);

        cluster.advance(Duration.ofSeconds(30)).cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 60 s");
        cluster.advance(Duration.ofSeconds(60)).cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 120 s");
        assertThat(only(cluster).delays()).isEqualTo(3);
    }

    /** Whatever would end in time, or fits beside the reservation, no longer counts, and no other node is better. */
    @Test
    void reservation_putOffOften_keepsItsNodeForItself(ClusterUnderTest cluster) {
        queues(cluster, new ReservationProperties(Duration.ZERO, null, 8))
                .node("a", "vcore", "4")
                .node("b", "vcore", "4");
        submit(cluster, "other", task(4, 36_000));
        submit(cluster, "running", task(2, 0).withExpectedDuration(Duration.ofSeconds(100)));
        submit(cluster, "large", task(3, 60));
        assertThat(reservations(cluster)).containsExactly("large on b in 100 s");
        for (int i = 1; i <= 8; i++) {
            assertThat(submit(cluster, "small" + i, task(1, 1))).containsExactly("small" + i + "/t -> b");
            cluster.succeed("small" + i + "/t");
            cluster.advance(Duration.between(cluster.now(), only(cluster).start()))
                    .cycle();
            assertThat(only(cluster).delays()).isEqualTo(i);
        }
        assertThat(cluster.partition().isFirm(only(cluster))).isTrue();
        assertThat(submit(cluster, "intime", task(1, 1))).isEmpty();
        assertThat(submit(cluster, "beside", task(1, 0))).isEmpty();
        assertThat(why(cluster, "intime"))
                .startsWith("reserved-for: node b is reserved for task t of application large from ")
                .endsWith("; it was put off so often that no other task may use the node");

        cluster.advance(Duration.ofHours(1)).cycle();
        assertThat(only(cluster).node()).isEqualTo("b");
        cluster.succeed("running/t");
        assertThat(cluster.cycle()).containsExactly("large/t -> b", "intime/t -> b");
    }

    @Test
    void reservation_runEndsEarly_startsSooner(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", task(1, 600));
        submit(cluster, "y", task(2, 700));
        submit(cluster, "z", task(3, 650));
        submit(cluster, "large", task(4, 60));
        assertThat(reservations(cluster)).containsExactly("large on a in 650 s"); // a has x and z, b has y
        cluster.succeed("y/t");

        assertThat(cluster.cycle()).containsExactly("large/t -> b");
    }

    @Test
    void reservation_endUnknown_isNotMade(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4");
        submit(cluster, "service", task(1, 0));
        submit(cluster, "large", task(4, 60));
        assertThat(reservations(cluster)).isEmpty();
        assertThat(submit(cluster, "small", task(3, 600))).containsExactly("small/t -> a");

        cluster.succeed("service/t").cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s");
    }

    @Test
    void reservation_taskLargerThanNodes_goesToNext(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4");
        submit(cluster, "running", task(2, 600));
        submit(cluster, "toolarge", task(5, 60));
        submit(cluster, "large", task(4, 60));
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s");
    }

    @Test
    void reservations_severalQueues_oneForEachAndNode(ClusterUnderTest cluster) {
        atOnce(cluster).nodes("n", 2, "vcore", "4");
        submit(cluster, "x", task(3, 600));
        submit(cluster, "y", task(3, 700));
        submit(cluster, "large", task(4, 60));
        submit(cluster, "larger", task(4, 60));
        cluster.submitSealed("other", "root.r", task(4, 60)).cycle();

        assertThat(reservations(cluster)).containsExactly("large on n-0 in 600 s", "other on n-1 in 700 s");
    }

    @Test
    void reservations_maximumLowered_newestEnds(ClusterUnderTest cluster) {
        atOnce(cluster).nodes("n", 2, "vcore", "4");
        submit(cluster, "x", task(3, 600));
        submit(cluster, "y", task(3, 700));
        submit(cluster, "large", task(4, 60));
        cluster.submitSealed("other", "root.r", task(4, 60)).cycle();
        queues(cluster, new ReservationProperties(Duration.ZERO, 1)).cycle();

        assertThat(reservations(cluster)).containsExactly("large on n-0 in 600 s");
        assertThat(ended(cluster)).containsExactly("disabled");
        queues(cluster, new ReservationProperties(Duration.ZERO, 0)).cycle();
        assertThat(reservations(cluster)).isEmpty();
    }

    @Test
    void reservation_holderCancelled_ends(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4");
        submit(cluster, "running", task(2, 600));
        submit(cluster, "large", task(4, 60));
        cluster.submitSealed("small", "root.q", task(2, 0)).cycle();
        assertThat(cluster.application("small").pending()).isEqualTo(1);

        assertThat(cluster.cancel("large").cycle()).containsExactly("small/t -> a");
        assertThat(ended(cluster)).containsExactly("withdrawn");
    }

    @Test
    void reservation_nodeLeaves_movesOrEnds(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", task(3, 600));
        submit(cluster, "y", task(3, 700));
        submit(cluster, "large", task(4, 60));
        cluster.offline("a").cycle();
        assertThat(reservations(cluster)).containsExactly("large on b in 700 s");
        assertThat(only(cluster).overrun()).isNull();
        cluster.offline("b").cycle();
        assertThat(ended(cluster)).containsExactly("no-node");
    }

    @Test
    void reservation_higherPriorityWaits_isReplaced(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4");
        submit(cluster, "running", task(2, 600));
        submit(cluster, "large", task(4, 60));
        submit(cluster, "urgent", task(3, 60).withPriority(1));

        assertThat(reservations(cluster)).containsExactly("urgent on a in 600 s");
    }

    @Test
    void explanation_reservedNode_namesHolderAndDelays(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4");
        submit(cluster, "running", task(2, 0).withExpectedDuration(Duration.ofSeconds(100)));
        submit(cluster, "large", task(4, 60));
        submit(cluster, "small", task(1, 200));
        cluster.advance(Duration.ofSeconds(100)).cycle();

        assertThat(why(cluster, "small"))
                .isEqualTo("reserved-for: node a is reserved for task t of application large from 2026-01-01T12:02:10Z;"
                        + " only tasks that end before, by their timeout or expected duration, may use it");
        assertThat(why(cluster, "large"))
                .isEqualTo("has-reservation: reserved on node a from 2026-01-01T12:02:10Z, planned again once because"
                        + " running/t ran longer than expected");
    }

    private static String why(ClusterUnderTest cluster, String application) {
        WaitReason reason = new Explainer(cluster.partition())
                .explain(cluster.application(application))
                .get(0)
                .reason();
        return reason.code() + ": " + reason.detail();
    }

    /** A preemption takes place on a reserved node as on any other; the reservation is planned again. */
    @Test
    void preemption_onReservedNode_delaysReservation(ClusterUnderTest cluster) {
        atOnce(cluster);
        QueueConfiguration root = cluster.partition().configuration().root();
        cluster.configure(cluster.partition()
                .configuration()
                .withRoot(root.withProperties(root.properties()
                        .withPreemption(PreemptionProperties.DEFAULTS
                                .withByPriority(true)
                                .withDelay(Duration.ofSeconds(1))))));
        cluster.node("a", "vcore", "4");
        submit(cluster, "running", task(3, 600).withPriority(-1));
        cluster.submitSealed("large", "root.r", task(4, 60)).cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s");
        submit(cluster, "urgent", task(3, 900).withPriority(1));
        cluster.advance(Duration.ofSeconds(1)).cycle();
        assertThat(cluster.placed()).extracting(String::valueOf).containsExactly("running/t", "urgent/t");

        cluster.cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 900 s");
        assertThat(only(cluster).delays()).isEqualTo(1);
    }

    /** A reservation that was made earlier, and so was considered earlier in the cycle, moves in the next one. */
    @Test
    void node_ofEndedReservation_isReservedForTaskWithEarlierReservation(ClusterUnderTest cluster) {
        atOnce(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "overrunning", task(3, 600));
        submit(cluster, "long", task(3, 900));
        submit(cluster, "large", task(4, 60));
        cluster.submitSealed("other", "root.r", task(4, 60)).cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 600 s", "other on b in 900 s");
        for (int seconds : new int[] {600, 30, 60, 120}) {
            cluster.advance(Duration.ofSeconds(seconds)).cycle();
        }
        assertThat(reservations(cluster)).containsExactly("large on a in 240 s", "other on b in 90 s");

        cluster.cancel("other").cycle();
        assertThat(reservations(cluster)).containsExactly("large on a in 240 s");
        cluster.cycle();
        assertThat(reservations(cluster)).containsExactly("large on b in 90 s");
    }

    /** Where only a reservation is in the way, nothing is preempted. */
    @Test
    void preemption_taskFitsReservedNode_preemptsNothing(ClusterUnderTest cluster) {
        atOnce(cluster);
        QueueConfiguration root = cluster.partition().configuration().root();
        cluster.configure(cluster.partition()
                .configuration()
                .withRoot(root.withProperties(root.properties()
                        .withPreemption(PreemptionProperties.DEFAULTS
                                .withByPriority(true)
                                .withDelay(Duration.ofSeconds(1))))));
        cluster.node("a", "vcore", "4");
        submit(cluster, "running", task(2, 600).withPriority(-1));
        cluster.submitSealed("large", "root.r", task(4, 60)).cycle();
        submit(cluster, "urgent", task(2, 900).withPriority(1));
        cluster.advance(Duration.ofSeconds(1)).cycle();

        assertThat(cluster.placed()).extracting(String::valueOf).containsExactly("running/t");
    }
}
