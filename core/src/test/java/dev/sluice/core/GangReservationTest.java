package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reservations for gangs that do not fit, on several nodes. */
@ExtendWith(SchedulerExtension.class)
class GangReservationTest {

    private static ClusterUnderTest queues(ClusterUnderTest cluster) {
        return queues(cluster, Duration.ZERO);
    }

    private static ClusterUnderTest queues(ClusterUnderTest cluster, Duration delay) {
        QueueConfiguration root = QueueConfiguration.parent(
                "root",
                QueueConfiguration.leaf("q"),
                QueueConfiguration.of(
                        "small",
                        Resources.NONE,
                        Resources.parse("vcore", "4"),
                        0,
                        QueueProperties.DEFAULTS,
                        List.of()));
        return cluster.configure(PartitionConfiguration.of(
                        "default",
                        root.withProperties(root.properties().withReservation(new ReservationProperties(delay, null))))
                .withTopology(List.of("rack")));
    }

    private static List<String> submit(ClusterUnderTest cluster, String id, int cores, int limitInSeconds) {
        TaskSpec task = TaskSpec.single("t", Resources.parse("vcore", String.valueOf(cores)))
                .withAttempts(0, Duration.ofSeconds(limitInSeconds));
        List<String> placed = cluster.submitSealed(id, "root.q", task).cycle();
        cluster.startAll();
        return placed;
    }

    /** Submits a gang of this many tasks and runs a cycle. */
    private static List<String> gang(
            ClusterUnderTest cluster, String queue, int count, int cores, Gang.@Nullable Topology topology) {
        TaskSpec task = TaskSpec.of("w", count, Resources.parse("vcore", String.valueOf(cores)))
                .withAttempts(0, Duration.ofSeconds(60));
        cluster.submit(ApplicationSpec.sealed("gang", queue, task)
                .withGang(Gang.of(Map.of("w", count)).withTopology(topology)));
        return cluster.cycle();
    }

    private static List<String> gang(ClusterUnderTest cluster, String id, int count, int cores, int limitInSeconds) {
        TaskSpec task = TaskSpec.of("w", count, Resources.parse("vcore", String.valueOf(cores)))
                .withAttempts(0, Duration.ofSeconds(limitInSeconds));
        cluster.submit(ApplicationSpec.sealed(id, "root.q", task).withGang(Gang.of(Map.of("w", count))));
        return cluster.cycle();
    }

    private static List<String> gang(ClusterUnderTest cluster, int count, int cores) {
        return gang(cluster, "root.q", count, cores, null);
    }

    private static List<String> reservations(ClusterUnderTest cluster) {
        return cluster.partition().reservations().all().stream()
                .map(each -> each.task().application() + " on " + parts(each) + " in "
                        + Duration.between(cluster.now(), each.start()).toSeconds() + " s")
                .toList();
    }

    private static List<String> parts(Reservation reservation) {
        return reservation.capacity().stream()
                .map(part -> part.node() + ": " + part.resources())
                .toList();
    }

    @Test
    void gang_fitsAtLaterEnd_isReservedOnAllItsNodes(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4").node("c", "vcore", "4");
        submit(cluster, "x", 3, 600);
        submit(cluster, "y", 3, 900);
        submit(cluster, "z", 3, 300);
        assertThat(gang(cluster, 2, 4)).isEmpty();
        assertThat(reservations(cluster))
                .containsExactly("gang on [a: slots 1, vcore 4, c: slots 1, vcore 4] in 600 s");

        assertThat(submit(cluster, "late", 1, 601)).containsExactly("late/t -> b");
        assertThat(submit(cluster, "later", 1, 601)).isEmpty();
        assertThat(submit(cluster, "intime", 1, 600)).hasSize(1);
        cluster.advance(Duration.ofMinutes(5)).succeed("z/t").cycle();
        assertThat(submit(cluster, "toolong", 3, 301)).isEmpty();

        cluster.advance(Duration.ofMinutes(5)).succeed("x/t").succeed("intime/t");
        assertThat(cluster.cycle()).containsExactlyInAnyOrder("gang/w-0 -> a", "gang/w-1 -> c");
        assertThat(reservations(cluster)).noneMatch(each -> each.startsWith("gang"));
    }

    @Test
    void gang_keptFromReservedNode_startsWhenReservationEnds(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4");
        submit(cluster, "x", 3, 600);
        submit(cluster, "big", 4, 600);
        assertThat(reservations(cluster)).containsExactly("big on [a: vcore 4] in 600 s");
        TaskSpec task = TaskSpec.of("w", 1, Resources.parse("vcore", "1"));
        cluster.submit(ApplicationSpec.sealed("gang", "root.small", task).withGang(Gang.of(Map.of("w", 1))));
        assertThat(cluster.cycle()).isEmpty();

        cluster.cancel("big");

        assertThat(cluster.cycle()).containsExactly("gang/w-0 -> a");
    }

    @Test
    void gang_leavesRoomOnItsNodes_othersUseIt(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", 2, 600);
        submit(cluster, "y", 3, 600);
        gang(cluster, 2, 3);
        assertThat(reservations(cluster)).hasSize(1);

        assertThat(submit(cluster, "beside", 1, 5_000)).containsExactly("beside/t -> a");
        assertThat(submit(cluster, "alsobeside", 1, 5_000)).containsExactly("alsobeside/t -> b");
        assertThat(submit(cluster, "more", 1, 5_000)).isEmpty();
    }

    /** Each member takes the first node that fits it, so whether unlike members fit depends on the node order. */
    @Test
    void gang_ofUnlikeMembers_isPlannedAgainInAnotherOrderOfNodes(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", 3, 600);
        submit(cluster, "y", 2, 600);
        TaskSpec any = TaskSpec.single("any", Resources.parse("vcore", "3"));
        TaskSpec here = TaskSpec.single("here", Resources.parse("vcore", "3")).withConstraints(Map.of(), "b");
        cluster.submit(ApplicationSpec.sealed("gang", "root.q", any, here)
                        .withGang(Gang.of(Map.of("any", 1, "here", 1))))
                .cycle();
        assertThat(reservations(cluster)).as("b comes first in node order").isEmpty();

        assertThat(submit(cluster, "more", 2, 600)).containsExactly("more/t -> b");
        cluster.cycle();
        assertThat(reservations(cluster))
                .containsExactly("gang on [a: slots 1, vcore 3, b: slots 1, vcore 3] in 600 s");
    }

    @Test
    void gang_largerThanCluster_leavesReservationToNext(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", 3, 600);
        submit(cluster, "y", 3, 900);
        gang(cluster, 3, 4);
        assertThat(reservations(cluster)).isEmpty();
        submit(cluster, "large", 4, 60);
        assertThat(reservations(cluster)).containsExactly("large on [a: vcore 4] in 600 s");
    }

    @Test
    void gang_beyondMaximum_isNotReserved(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", 3, 600);
        gang(cluster, "root.small", 2, 4, null);
        assertThat(reservations(cluster)).isEmpty();
    }

    @Test
    void gang_requiresDomain_isReservedInOne(ClusterUnderTest cluster) {
        queues(cluster);
        for (String node : List.of("a", "b", "c", "d")) {
            cluster.node(node, Map.of("rack", node.compareTo("c") < 0 ? "r1" : "r2"), "vcore", "4");
        }
        submit(cluster, "x", 3, 100);
        submit(cluster, "y", 3, 900);
        submit(cluster, "z", 3, 300);
        submit(cluster, "u", 3, 500);
        gang(cluster, "root.q", 2, 4, new Gang.Topology("rack", true));
        assertThat(reservations(cluster)).hasSize(1);
        assertThat(reservations(cluster).get(0)).startsWith("gang on [c: ").endsWith(" in 500 s");
    }

    @Test
    void gang_runEndsEarly_startsSooner(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", 3, 600);
        submit(cluster, "y", 3, 900);
        gang(cluster, 2, 4);
        cluster.succeed("y/t").cycle();
        assertThat(reservations(cluster)).hasSize(1);
        assertThat(reservations(cluster).get(0)).endsWith(" in 600 s");
        cluster.succeed("x/t");
        assertThat(cluster.cycle()).hasSize(2);
    }

    /** Whether a gang may use reserved nodes also depends on the time, which passes without any event. */
    @Test
    void gang_reservationOfOtherIsPutOff_startsInSameCycle(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4");
        submit(cluster, "x", 2, 600);
        assertThat(submit(cluster, "large", 4, 600)).isEmpty();
        cluster.advance(Duration.ofSeconds(550));
        assertThat(gang(cluster, 2, 1)).as("its queue has a reservation").isEmpty();
        cluster.advance(Duration.ofSeconds(50)).cycle();
        cluster.advance(Duration.ofSeconds(1)).cycle();
        assertThat(reservations(cluster)).containsExactly("large on [a: vcore 4] in 29 s");

        assertThat(cluster.advance(Duration.ofSeconds(29)).cycle()).containsExactly("gang/w-0 -> a", "gang/w-1 -> a");
        assertThat(reservations(cluster)).containsExactly("large on [a: vcore 4] in 60 s");
    }

    /** What starts after the first gang in the same cycle must respect the reservation of the second. */
    @Test
    void gang_behindHolderThatStarts_isReservedInSameCycle(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", 4, 600);
        submit(cluster, "y", 3, 300);
        assertThat(gang(cluster, "first", 2, 1, 900)).isEmpty();
        assertThat(gang(cluster, "second", 2, 4, 60)).isEmpty();
        assertThat(gang(cluster, "third", 2, 1, 901)).isEmpty();

        cluster.advance(Duration.ofMinutes(5)).succeed("y/t");

        assertThat(cluster.cycle()).containsExactly("first/w-0 -> b", "first/w-1 -> b");
        assertThat(reservations(cluster))
                .containsExactly("second on [b: slots 1, vcore 4, a: slots 1, vcore 4] in 900 s");
    }

    /** The task has waited for the delay, but is not the first of its leaf: the gang is, by its priority. */
    @Test
    void task_behindGangThatWaitsForDelay_isNotReservedInCyclesWithoutChange(ClusterUnderTest cluster) {
        queues(cluster, Duration.ofSeconds(30)).node("a", "vcore", "8");
        submit(cluster, "x", 3, 600);
        cluster.submitSealed("small", "root.small", TaskSpec.of("t", 2, Resources.parse("vcore", "4")));
        cluster.submitSealed("over", "root.small", TaskSpec.single("t", Resources.parse("vcore", "1")));
        assertThat(cluster.cycle())
                .as("the other exceeds the maximum, though a fits it")
                .hasSize(1);
        submit(cluster, "single", 4, 60);
        cluster.advance(Duration.ofSeconds(20));
        TaskSpec member = TaskSpec.of("w", 1, Resources.parse("vcore", "4")).withPriority(1);
        cluster.submit(ApplicationSpec.sealed("gang", "root.q", member).withGang(Gang.of(Map.of("w", 1))));
        cluster.cycle();
        cluster.advance(Duration.ofSeconds(10));
        for (int i = 0; i < 4; i++) {
            cluster.cycle();
            assertThat(reservations(cluster)).as("cycle %d", i).isEmpty();
        }

        cluster.advance(Duration.ofSeconds(20)).cycle();
        assertThat(reservations(cluster)).containsExactly("gang on [a: slots 1, vcore 4] in 550 s");
    }

    @Test
    void gang_nodeLeaves_movesToOthers(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4").node("c", "vcore", "4");
        submit(cluster, "x", 3, 600);
        submit(cluster, "y", 3, 700);
        submit(cluster, "z", 3, 900);
        gang(cluster, 2, 4);
        cluster.offline("a").cycle();
        assertThat(reservations(cluster))
                .containsExactly("gang on [b: slots 1, vcore 4, c: slots 1, vcore 4] in 900 s");
        cluster.offline("b").cycle();
        assertThat(reservations(cluster)).isEmpty();
    }

    @Test
    void explanation_ofReservedGang_namesNodes(ClusterUnderTest cluster) {
        queues(cluster).node("a", "vcore", "4").node("b", "vcore", "4");
        submit(cluster, "x", 3, 600);
        submit(cluster, "y", 3, 600);
        gang(cluster, 2, 4);
        WaitReason reason = new Explainer(cluster.partition())
                .explain(cluster.application("gang"))
                .get(0)
                .reason();
        assertThat(reason.code()).isEqualTo("has-reservation");
        assertThat(reason.detail()).isEqualTo("reserved on nodes a, b from 2026-01-01T12:10:00Z");
    }

    /** The gang has reserved a, too, but nothing is free there. Node order does not count GPUs, so a comes first. */
    @Test
    void why_besideGang_namesNodeWithRoom(ClusterUnderTest cluster) {
        queues(cluster).node("a", "gpu", "1").node("b", "gpu", "1");
        TaskSpec gpu = TaskSpec.single("t", Resources.parse("gpu", "1"));
        cluster.submitSealed("x", "root.q", gpu.withAttempts(0, Duration.ofMinutes(10)))
                .cycle();
        cluster.submit(ApplicationSpec.sealed("gang", "root.q", TaskSpec.of("w", 2, Resources.parse("gpu", "1")))
                .withGang(Gang.of(Map.of("w", 2))));
        cluster.cycle();
        assertThat(reservations(cluster)).containsExactly("gang on [a: gpu 1, slots 1, b: gpu 1, slots 1] in 600 s");
        cluster.submitSealed("late", "root.q", gpu).cycle();

        WaitReason reason = new Explainer(cluster.partition())
                .explain(cluster.application("late"))
                .get(0)
                .reason();
        assertThat(reason).isInstanceOf(WaitReason.ReservedFor.class);
        assertThat(((WaitReason.ReservedFor) reason).node()).isEqualTo("b");
    }
}
