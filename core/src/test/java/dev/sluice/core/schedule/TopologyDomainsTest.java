package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Topology;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SchedulerExtension.class)
class TopologyDomainsTest {

    @Test
    void of_label_numbersItsValues(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("a", Map.of("zone", "x"), "vcore", "1")
                .node("b", "vcore", "1")
                .node("c", Map.of("zone", "y"), "vcore", "1")
                .node("d", Map.of("zone", "x"), "vcore", "1");
        TopologyDomains.Domains zones = new TopologyDomains(cluster.partition()).of("zone");
        assertThat(zones.size()).isEqualTo(2);
        assertThat(zones.of(cluster.node("a"))).isZero().isEqualTo(zones.of(cluster.node("d")));
        assertThat(zones.of(cluster.node("c"))).isEqualTo(1);
        assertThat(zones.of(cluster.node("b"))).isEqualTo(TopologyDomains.Domains.NONE);
    }

    @Test
    void of_host_needsNoLabel(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("a", "vcore", "1")
                .node("b", Map.of(Topology.HOST, "b.example"), "vcore", "1");
        TopologyDomains.Domains hosts = new TopologyDomains(cluster.partition()).of(Topology.HOST);
        assertThat(hosts.size()).isEqualTo(2);
        assertThat(hosts.of(cluster.node("a"))).isZero();
    }

    @Test
    void nodesChanged_newNode_isIndexed(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("a", Map.of("zone", "x"), "vcore", "1");
        TopologyDomains domains = new TopologyDomains(cluster.partition());
        assertThat(domains.of("zone").size()).isEqualTo(1);
        cluster.node("b", Map.of("zone", "y"), "vcore", "1");
        domains.nodesChanged();
        assertThat(domains.of("zone").of(cluster.node("b"))).isEqualTo(1);
    }

    @Test
    void ofLevel_widerLevels_areDifferentDomainsInOrderOfLabels(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("a", Map.of("zone", "y", "rack", "1"), "vcore", "1")
                .node("b", Map.of("zone", "x", "rack", "1"), "vcore", "1")
                .node("c", Map.of("zone", "x"), "vcore", "1")
                .node("d", Map.of("rack", "1"), "vcore", "1");
        TopologyDomains.Domains racks = new TopologyDomains(cluster.partition()).ofLevel(List.of("zone", "rack"));
        assertThat(racks.size()).isEqualTo(3);
        assertThat(racks.of(cluster.node("c"))).isEqualTo(TopologyDomains.Domains.NONE);
        assertThat(racks.inOrder())
                .containsExactly(racks.of(cluster.node("d")), racks.of(cluster.node("b")), racks.of(cluster.node("a")));
    }

    @Test
    void domains_nodesThatAreNotReady_formNone(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("a", Map.of("zone", "x"), "vcore", "1")
                .node("b", Map.of("zone", "y"), "vcore", "1")
                .node("c", "vcore", "1")
                .offline("b");
        TopologyDomains topologies = new TopologyDomains(cluster.partition());
        assertThat(topologies.of("zone").readyDomains()).isEqualTo(1);
        assertThat(topologies.of("zone").areEverywhere()).isFalse();
        assertThat(topologies.ofNodes().areEverywhere()).isTrue();
    }
}
