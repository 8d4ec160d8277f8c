package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.Topology;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gangs whose members start in one topology domain. */
@ExtendWith(SchedulerExtension.class)
class GangTopologyTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    /** Rack r1 of zone a holds one worker, rack r2 two; zone b has one rack with one worker. */
    private static ClusterUnderTest racks(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest().withTopology(List.of("zone", "rack")))
                .node("n1", Map.of("zone", "a", "rack", "r1"), "vcore", "1")
                .node("n2", Map.of("zone", "a", "rack", "r2"), "vcore", "1")
                .node("n3", Map.of("zone", "a", "rack", "r2"), "vcore", "1")
                .node("n4", Map.of("zone", "b", "rack", "r1"), "vcore", "1")
                .node("n5", "vcore", "1");
    }

    private static ApplicationSpec together(int count, String key, boolean require) {
        Gang gang = Gang.of(Map.of("w", count)).withTopology(new Gang.Topology(key, require));
        return ApplicationSpec.sealed("a", null, TaskSpec.of("w", count, CORE)).withGang(gang);
    }

    @Test
    void gang_withTopology_startsInTheNarrowestDomainThatHoldsIt(ClusterUnderTest cluster) {
        assertThat(racks(cluster).submit(together(2, "zone", true)).cycle())
                .containsExactly("a/w-0 -> n2", "a/w-1 -> n3");
    }

    @Test
    void gang_thatNoRackHolds_startsInAZone(ClusterUnderTest cluster) {
        assertThat(racks(cluster).submit(together(3, "zone", true)).cycle())
                .containsExactly("a/w-0 -> n1", "a/w-1 -> n2", "a/w-2 -> n3");
    }

    @Test
    void gang_thatNoDomainUpToItsKeyHolds_waits(ClusterUnderTest cluster) {
        assertThat(racks(cluster).submit(together(3, "rack", true)).cycle()).isEmpty();
        WaitReason reason = new Explainer(cluster.partition())
                .explain(cluster.application("a"))
                .get(0)
                .reason();
        assertThat(reason).isEqualTo(new WaitReason.GangIncomplete(3, 3, "rack"));
    }

    @Test
    void gang_thatPrefersADomain_startsAnywhereIfNoneHoldsIt(ClusterUnderTest cluster) {
        assertThat(racks(cluster).submit(together(5, "zone", false)).cycle()).hasSize(5);
    }

    // zone a
    // ├── rack r1
    // │   ├── host h1   n1
    // │   └── host h2   n2
    // └── rack r2
    //     ├── host h1   n3, n4
    //     └── host h2   n5
    private static ClusterUnderTest hosts(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest().withTopology(List.of("zone", "rack", "host")))
                .node("n1", Map.of("zone", "a", "rack", "r1", "host", "h1"), "vcore", "1")
                .node("n2", Map.of("zone", "a", "rack", "r1", "host", "h2"), "vcore", "1")
                .node("n3", Map.of("zone", "a", "rack", "r2", "host", "h1"), "vcore", "1")
                .node("n4", Map.of("zone", "a", "rack", "r2", "host", "h1"), "vcore", "1")
                .node("n5", Map.of("zone", "a", "rack", "r2", "host", "h2"), "vcore", "1");
    }

    @Test
    void gang_thatOneHostHolds_startsThere(ClusterUnderTest cluster) {
        assertThat(hosts(cluster).submit(together(2, "zone", true)).cycle())
                .containsExactly("a/w-0 -> n3", "a/w-1 -> n4");
    }

    @Test
    void gang_thatNoHostHolds_startsInARack(ClusterUnderTest cluster) {
        assertThat(hosts(cluster).submit(together(3, "zone", true)).cycle())
                .containsExactly("a/w-0 -> n3", "a/w-1 -> n4", "a/w-2 -> n5");
    }

    @Test
    void gang_whoseKeyIsTheHost_doesNotStartInARack(ClusterUnderTest cluster) {
        assertThat(hosts(cluster).submit(together(3, "host", true)).cycle()).isEmpty();
    }

    /** {@link Topology#HOST} is the node, also without that label. */
    @Test
    void gang_thatOneNodeHolds_startsThere(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest().withTopology(List.of("rack", Topology.HOST)))
                .node("n1", Map.of("rack", "r"), "vcore", "1")
                .node("n2", Map.of("rack", "r"), "vcore", "1")
                .node("n3", Map.of("rack", "r"), "vcore", "2");

        assertThat(cluster.submit(together(2, "rack", true)).cycle()).containsExactly("a/w-0 -> n3", "a/w-1 -> n3");
    }

    /** Equal labels of different nodes are different domains below the level of nodes. */
    @Test
    void gang_inATopologyBelowNodes_staysOnANode(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest().withTopology(List.of(Topology.HOST, "socket")))
                .node("n1", Map.of("socket", "s"), "vcore", "1")
                .node("n2", Map.of("socket", "s"), "vcore", "1");

        assertThat(cluster.submit(together(2, "socket", true)).cycle()).isEmpty();
    }
}
