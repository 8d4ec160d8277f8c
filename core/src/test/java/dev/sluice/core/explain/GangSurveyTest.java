package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why gangs wait whose members are constrained by each other: before the cycle and after it. */
@ExtendWith(SchedulerExtension.class)
class GangSurveyTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final Map<String, String> APP = Map.of("app", "x");
    private static final TaskConstraints OWN = TaskConstraints.NONE.withLabels(APP);

    /** Nodes a1 and a2 in zone a, b1 in zone b, and x in none, with four cores each. */
    private static ClusterUnderTest zones(ClusterUnderTest cluster, QueueConfiguration root) {
        return cluster.configure(PartitionConfiguration.of("default", root).withTopology(List.of("zone")))
                .node("a1", Map.of("zone", "a"), "vcore", "4")
                .node("a2", Map.of("zone", "a"), "vcore", "4")
                .node("b1", Map.of("zone", "b"), "vcore", "4")
                .node("x", "vcore", "4");
    }

    private static ClusterUnderTest zones(ClusterUnderTest cluster) {
        return zones(cluster, PartitionConfiguration.simplest().root());
    }

    private static TaskTerm itself(String key) {
        return new TaskTerm(LabelSelector.of(APP, List.of()), key);
    }

    private static TaskConstraints constraints(String kind) {
        return switch (kind) {
            case "pernode" -> OWN.withPerNode(1);
            case "port" -> OWN.withPorts(List.of(new HostPort(80, HostPort.Protocol.TCP, HostPort.ANY_IP)));
            case "apart by node" -> OWN.withAntiAffinity(new TaskAffinity(List.of(itself(Topology.HOST)), List.of()));
            case "apart by zone" -> OWN.withAntiAffinity(new TaskAffinity(List.of(itself("zone")), List.of()));
            case "beside" -> OWN.withAffinity(new TaskAffinity(List.of(itself("zone")), List.of()));
            case "spread" ->
                OWN.withSpread(
                        List.of(TopologySpread.of(1, "zone", itself("zone").selector())));
            default -> OWN;
        };
    }

    private static ApplicationSpec gang(int members, TaskConstraints constraints) {
        TaskSpec task = TaskSpec.of("w", members, CORE).withConstraints(Constraints.NONE.withTasks(constraints));
        return ApplicationSpec.open("a", null, task).withGang(Gang.of(Map.of("w", members)));
    }

    private static WaitReason reasonOf(ClusterUnderTest cluster) {
        return new Explainer(cluster.partition())
                .explain(cluster.application("a"))
                .get(0)
                .reason();
    }

    /** The first number of members fits, the second does not. */
    @ParameterizedTest
    @CsvSource({
        "none, 16, 17",
        "pernode, 4, 5",
        "port, 4, 5",
        "apart by node, 4, 5",
        "apart by zone, 6, 7",
        "spread, 8, 10"
    })
    void constrainedGang_oneMemberTooMany_countsThoseThatFit(
            String kind, int fits, int members, ClusterUnderTest cluster) {
        zones(cluster).submit(gang(members, constraints(kind)));
        int most = kind.equals("spread") ? 9 : fits;

        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.GangIncomplete(most, members, null));
        assertThat(cluster.cycle()).isEmpty();

        cluster.cancel("a").forget("a").submit(gang(fits, constraints(kind)));
        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.NextCycle());
        assertThat(cluster.cycle()).hasSize(fits);
    }

    /** The zone of the first member is that of all; the nodes of zone a come first. */
    @Test
    void gangBesideItself_oneZoneFull_countsThatZone(ClusterUnderTest cluster) {
        zones(cluster).submit(gang(9, constraints("beside")));

        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.GangIncomplete(8, 9, null));
        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void gangOfTwoKinds_thatExcludeEachOther_countsOneOfThem(ClusterUnderTest cluster) {
        TaskSpec worker = TaskSpec.of("w", 2, CORE)
                .withConstraints(Constraints.NONE.withTasks(TaskConstraints.NONE.withAntiAffinity(
                        new TaskAffinity(List.of(itself(Topology.HOST)), List.of()))));
        TaskSpec other = TaskSpec.of("v", 4, CORE)
                .withConstraints(Constraints.NONE.withTasks(constraints("apart by node")))
                .withPriority(1);
        zones(cluster).submit(ApplicationSpec.open("a", null, worker, other).withGang(Gang.of(Map.of("w", 2, "v", 4))));

        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.GangIncomplete(4, 6, null));
        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void gangInOneZone_thatAZoneHolds_startsInNextCycle(ClusterUnderTest cluster) {
        Gang zonal = Gang.of(Map.of("w", 8)).withTopology(new Gang.Topology("zone", true));
        zones(cluster).submit(gang(8, OWN).withGang(zonal));
        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.NextCycle());
        assertThat(cluster.cycle()).hasSize(8);
    }

    @Test
    void gangInOneZone_thatOnlySeveralHold_namesTheKey(ClusterUnderTest cluster) {
        Gang zonal = Gang.of(Map.of("w", 3)).withTopology(new Gang.Topology("zone", true));
        zones(cluster).submit(gang(3, constraints("pernode")).withGang(zonal));
        assertThat(reasonOf(cluster)).isEqualTo(new WaitReason.GangIncomplete(3, 3, "zone"));
        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void gangThatNeverFits_understateaware_doesNotBlock(ClusterUnderTest cluster) {
        zones(cluster, QueueTreeText.of("""
                root
                └─ a   stateaware max(vcore 9)
                """));
        TaskSpec task = TaskSpec.of("w", 10, CORE);
        cluster.submit(ApplicationSpec.open("a", "root.a", task).withGang(Gang.of(Map.of("w", 10))))
                .submit("next", "root.a", TaskSpec.single("t", CORE))
                .submit("last", "root.a", TaskSpec.single("t", Resources.parse("vcore", "10")))
                .submit("behind", "root.a", TaskSpec.single("t", CORE));

        assertThat(new Explainer(cluster.partition()).explainAll())
                .extracting(waiting ->
                        waiting.application().id() + " " + waiting.reason().code())
                .containsExactly("a gang-incomplete", "next next-cycle", "last quota", "behind behind-starting");
    }
}
