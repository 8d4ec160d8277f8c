package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gangs of which some members fit only beside others. */
@ExtendWith(SchedulerExtension.class)
class GangConstraintsTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final LabelSelector LEADER = LabelSelector.of(Map.of("app", "leader"), List.of());

    private static ClusterUnderTest zones(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest())
                .node("a1", Map.of("zone", "a"), "vcore", "4")
                .node("b1", Map.of("zone", "b"), "vcore", "4");
    }

    private static TaskSpec leader(String name, String zone) {
        return TaskSpec.single(name, CORE)
                .withConstraints(Constraints.ofSelector(Map.of("zone", zone))
                        .withTasks(TaskConstraints.NONE.withLabels(Map.of("app", "leader"))));
    }

    /** A gang of a leader and two followers; the followers are written first, so that their class is searched first. */
    private static ApplicationSpec gang(TaskSpec leader, Constraints followers) {
        TaskSpec others = TaskSpec.of("follower", 2, CORE).withPriority(-1).withConstraints(followers);
        return ApplicationSpec.sealed("g", null, others, leader)
                .withGang(Gang.of(Map.of("follower", 2, leader.name(), 1)));
    }

    @Test
    void members_thatMustBeBesideAnother_startWithIt(ClusterUnderTest cluster) {
        TaskTerm besideLeader = new TaskTerm(LEADER, "zone");
        Constraints beside = Constraints.NONE.withTasks(
                TaskConstraints.NONE.withAffinity(new TaskAffinity(List.of(besideLeader), List.of())));

        assertThat(zones(cluster).submit(gang(leader("leader", "b"), beside)).cycle())
                .containsExactly("g/leader -> b1", "g/follower-0 -> b1", "g/follower-1 -> b1");
    }

    /** Two leaders in zone a and none in zone b: nothing of that selector may come to zone a until b has one. */
    @Test
    void members_thatAreSpreadWithAnother_startWithIt(ClusterUnderTest cluster) {
        zones(cluster)
                .submit("x", null, leader("x", "a"))
                .submit("y", null, leader("y", "a"))
                .cycle();
        Constraints spread = Constraints.ofSelector(Map.of("zone", "a"))
                .withTasks(TaskConstraints.NONE.withSpread(
                        List.of(new TopologySpread(1, "zone", true, LEADER, 1, false, false))));

        assertThat(cluster.submit(gang(leader("leader", "b"), spread)).cycle())
                .containsExactly("g/leader -> b1", "g/follower-0 -> a1", "g/follower-1 -> a1");
    }

    /** A leader on the first node, which is in no zone, has no followers beside it. There are no reservations. */
    @Test
    void members_whoseNodesAreTakenByOthers_startOnOtherNodesInTheSameCycle(ClusterUnderTest cluster) {
        PartitionConfiguration simplest = PartitionConfiguration.simplest();
        QueueConfiguration root = simplest.root();
        cluster.configure(simplest.withRoot(
                        root.withProperties(root.properties().withReservation(new ReservationProperties(null, 0)))))
                .node("a0", "vcore", "2")
                .node("a1", Map.of("zone", "a"), "vcore", "2");
        TaskTerm besideLeader = new TaskTerm(LEADER, "zone");
        TaskSpec leader = TaskSpec.single("leader", CORE)
                .withConstraints(Constraints.NONE.withTasks(TaskConstraints.NONE.withLabels(Map.of("app", "leader"))));
        TaskSpec follower = TaskSpec.single("follower", CORE)
                .withPriority(-1)
                .withConstraints(Constraints.NONE.withTasks(
                        TaskConstraints.NONE.withAffinity(new TaskAffinity(List.of(besideLeader), List.of()))));
        cluster.submit(ApplicationSpec.sealed("g", null, leader, follower)
                .withGang(Gang.of(Map.of("leader", 1, "follower", 1))));
        assertThat(cluster.cycle()).isEmpty();

        cluster.submit(
                "other",
                null,
                TaskSpec.single("t", Resources.parse("vcore", "2")).withPriority(1));

        assertThat(cluster.cycle()).containsExactly("other/t -> a0", "g/leader -> a1", "g/follower -> a1");
    }
}
