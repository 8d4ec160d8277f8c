package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Node selection: labels, required nodes, slots, resource types that only some nodes have, weights. */
@ExtendWith(SchedulerExtension.class)
class NodePlacementTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final Resources GPU = Resources.parse("vcore", "1", "gpu", "1");

    @Test
    void task_withRequiredLabels_runsOnlyOnMatchingNodes(ClusterUnderTest cluster) {
        ready(cluster)
                .node("a", Map.of(), "vcore", "4")
                .node("b", Map.of("disk", "ssd"), "vcore", "4")
                .node("c", Map.of("disk", "hdd", "zone", "eu"), "vcore", "4")
                .node("d", Map.of("disk", "ssd", "zone", "eu"), "vcore", "1");

        cluster.submit(
                "app", null, TaskSpec.of("t", 2, CORE).withConstraints(Map.of("disk", "ssd", "zone", "eu"), null));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> d");
    }

    @Test
    void nodeLabels_changed_applyAtOnce(ClusterUnderTest cluster) {
        ready(cluster).node("n", Map.of("disk", "hdd"), "vcore", "4");
        cluster.submit("app", null, TaskSpec.of("t", 2, CORE).withConstraints(Map.of("disk", "ssd"), null));
        assertThat(cluster.cycle()).isEmpty();

        cluster.handle(new Command.UpdateNode(
                "default", "n", Resources.parse("vcore", "1"), new TreeMap<>(Map.of("disk", "ssd"))));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> n");
    }

    @Test
    void labels_firstRequiredLater_areMatched(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "4").node("b", Map.of("disk", "ssd"), "vcore", "4");
        cluster.submit("plain", null, TaskSpec.single("t", CORE));
        assertThat(cluster.cycle()).containsExactly("plain/t -> a");

        cluster.submit("app", null, TaskSpec.single("t", CORE).withConstraints(Map.of("disk", "ssd"), null));

        assertThat(cluster.cycle()).containsExactly("app/t -> b");
    }

    @Test
    void labels_ofManyKinds_areAllMatched(ClusterUnderTest cluster) {
        ready(cluster);
        for (int i = 0; i < 100; i++) {
            cluster.node("n-" + i, Map.of("rack", "r" + i), "vcore", "1");
            cluster.submit(
                    "app-%02d".formatted(i),
                    null,
                    TaskSpec.of("t", 2, CORE).withConstraints(Map.of("rack", "r" + i), null));
        }

        List<String> placed = cluster.cycle();

        assertThat(placed)
                .hasSize(100)
                .allSatisfy(placement -> assertThat(placement).matches("app-0?(\\d+)/t-0 -> n-\\1"));
    }

    @Test
    void task_withRequiredNode_runsOnlyThere(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "8").node("b", "vcore", "1");

        cluster.submit("app", null, TaskSpec.of("t", 2, CORE).withConstraints(Map.of(), "b"));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> b");
        cluster.succeed("app/t-0").offline("b");
        assertThat(cluster.cycle()).isEmpty();
        cluster.reinstate("b");
        assertThat(cluster.cycle()).containsExactly("app/t-1 -> b");
    }

    @Test
    void task_withRequiredNodeAddedLater_runsThere(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "8");
        cluster.submit("app", null, TaskSpec.single("t", CORE).withConstraints(Map.of(), "b"));
        assertThat(cluster.cycle()).isEmpty();

        cluster.node("b", "vcore", "1");

        assertThat(cluster.cycle()).containsExactly("app/t -> b");
    }

    /** Other than labels, which nodes share, their names must be checked one by one. */
    @Test
    void task_withAffinityToName_runsOnlyThere(ClusterUnderTest cluster) {
        NodeSelectorRequirement name = new NodeSelectorRequirement(
                NodeSelectorRequirement.NAME_FIELD, NodeSelectorRequirement.Operator.IN, List.of("n-1"));
        NodeAffinity affinity = new NodeAffinity(List.of(new NodeSelectorTerm(List.of(), List.of(name))), List.of());
        Constraints constraints = Constraints.NONE.withNodeAffinity(affinity);
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   stateaware
                """)).nodes("n", 3, "vcore", "1");
        cluster.submit("x", "root.a", TaskSpec.of("t", 2, CORE).withConstraints(constraints));

        assertThat(cluster.cycle()).containsExactly("x/t-0 -> n-1");
    }

    @Test
    void task_requiredNodeLacksLabels_waits(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "8").node("b", Map.of("disk", "ssd"), "vcore", "8");

        cluster.submit("app", null, TaskSpec.single("t", CORE).withConstraints(Map.of("disk", "ssd"), "a"));

        assertThat(cluster.cycle()).isEmpty();
    }

    @Test
    void node_withSlots_limitsRunningTasks(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "8", "slots", "2").node("b", "vcore", "8");

        cluster.submit("app", null, TaskSpec.of("t", 20, Resources.parse("vcore", "0")));

        List<String> placed = cluster.cycle();
        assertThat(placed).hasSize(20);
        assertThat(placed.stream().filter(text -> text.endsWith("-> a"))).hasSize(2);
    }

    @Test
    void slotOnlyNode_taskWithoutResources_isPlaced(ClusterUnderTest cluster) {
        ready(cluster).node("a", "slots", "1").node("b", "slots", "0");

        cluster.submit("app", null, TaskSpec.of("t", 3, Resources.NONE), TaskSpec.single("u", CORE));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> a");
    }

    @Test
    void gpuTask_onMixedNodes_runsOnGpuNode(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "8").node("b", "vcore", "8", "gpu", "2");

        cluster.submit("app", null, TaskSpec.of("t", 3, GPU), TaskSpec.single("u", CORE));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> b", "app/t-1 -> b", "app/u -> a");
    }

    @Test
    void task_requestingUnknownType_runsWhenNodeProvidesIt(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "8");
        cluster.submit("app", null, TaskSpec.single("t", GPU));
        assertThat(cluster.cycle()).isEmpty();

        cluster.updateNode("a", "vcore", "8", "gpu", "1");

        assertThat(cluster.cycle()).containsExactly("app/t -> a");
    }

    @Test
    void weights_allZero_orderByName(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.FAIR, Map.of("vcore", 0.0));
        cluster.nodes("n", 2, "vcore", "8");

        cluster.submit("app", null, TaskSpec.of("t", 3, CORE));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> n-0", "app/t-1 -> n-0", "app/t-2 -> n-0");
    }

    @Test
    void weights_ofMissingType_areIgnoredOnThatNode(ClusterUnderTest cluster) {
        // b: 1 ÷ 4 of the cores; a: the mean of 1 ÷ 4 of the cores and no gpus, which is less
        configure(cluster, NodeSortPolicy.BIN_PACKING, Map.of("vcore", 1.0, "gpu", 1.0));
        cluster.node("a", "vcore", "4", "gpu", "2").node("b", "vcore", "4");
        cluster.submit(
                "both",
                null,
                TaskSpec.single("a", CORE).withConstraints(Map.of(), "a"),
                TaskSpec.single("b", CORE).withConstraints(Map.of(), "b"));
        cluster.cycle();

        cluster.submit("probe", null, TaskSpec.of("t", 2, CORE));

        assertThat(cluster.cycle()).containsExactly("probe/t-0 -> b", "probe/t-1 -> b");
    }

    @Test
    void weights_ofUnknownType_orderByName(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.BIN_PACKING, Map.of("unobtainium", 1.0));
        cluster.node("b", "vcore", "1").node("a", "vcore", "1");

        cluster.submit("app", null, TaskSpec.of("t", 2, CORE));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> a", "app/t-1 -> b");
    }

    @Test
    void weights_changed_reorderNodes(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.FAIR, Map.of("vcore", 1.0));
        cluster.node("a", "vcore", "8", "memory", "8").node("b", "vcore", "8", "memory", "8");
        cluster.submit(
                "app",
                null,
                TaskSpec.single("t", Resources.parse("memory", "4")).withConstraints(Map.of(), "a"),
                TaskSpec.single("u", CORE).withConstraints(Map.of(), "b"));
        cluster.cycle();
        cluster.submit("probe", null, TaskSpec.of("t", 1, Resources.parse("vcore", "1m")));
        assertThat(cluster.cycle()).containsExactly("probe/t-0 -> a");

        configure(cluster, NodeSortPolicy.FAIR, Map.of("memory", 1.0));
        cluster.submit("again", null, TaskSpec.of("t", 1, Resources.parse("vcore", "1m")));

        assertThat(cluster.cycle()).containsExactly("again/t-0 -> b");
    }

    @Test
    void node_shrunkBelowAllocated_waitsForFreeCapacity(ClusterUnderTest cluster) {
        ready(cluster).node("a", "vcore", "4");
        cluster.submit("app", null, TaskSpec.of("t", 5, CORE)).cycle();

        cluster.updateNode("a", "vcore", "2");
        assertThat(cluster.cycle()).isEmpty();
        cluster.succeed("app/t-0").succeed("app/t-1");
        assertThat(cluster.cycle()).isEmpty();
        cluster.succeed("app/t-2");
        assertThat(cluster.cycle()).containsExactly("app/t-4 -> a");
    }

    @Test
    void nodes_withEqualUtilisation_areOrderedByName(ClusterUnderTest cluster) {
        ready(cluster).node("n-2", "vcore", "4").node("n-10", "vcore", "8").node("n-1", "vcore", "4");

        cluster.submit("app", null, TaskSpec.of("t", 3, CORE));

        assertThat(cluster.cycle()).containsExactly("app/t-0 -> n-1", "app/t-1 -> n-10", "app/t-2 -> n-2");
    }

    private static ClusterUnderTest ready(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest());
    }

    private static void configure(ClusterUnderTest cluster, NodeSortPolicy policy, Map<String, Double> weights) {
        cluster.configure(new PartitionConfiguration(
                PartitionConfiguration.DEFAULT_NAME,
                QueueConfiguration.parent("root", QueueConfiguration.leaf("default")),
                List.of(),
                policy,
                new TreeMap<>(weights),
                false));
    }
}
