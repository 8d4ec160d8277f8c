package dev.sluice.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every wait reason, with its fields and text. */
@ExtendWith(SchedulerExtension.class)
class ExplainTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final SortedMap<String, Integer> NOTHING = Collections.emptySortedMap();
    private static final SortedMap<NodeExclusion, Integer> NONE_EXCLUDED = Collections.emptySortedMap();
    private static final SortedMap<NodeState, Integer> ALL_READY = Collections.emptySortedMap();

    @Test
    void quota_ofLeaf_reportsMissingAmount(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ a   max(vcore 3)
                """)).node("n", "vcore", "8");
        cluster.submit("app", "root.a", TaskSpec.of("t", 2, Resources.parse("vcore", "2")))
                .cycle();

        check(
                cluster,
                new WaitReason.Quota("root.a", "vcore", new Amount(1000), false),
                "quota",
                "queue root.a is at its maximum: 1 of vcore missing");
    }

    @Test
    void quota_ofParent_reportsParent(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ p      max(memory 1Gi)
                   └─ a   max(vcore 9)
                """)).node("n", "vcore", "8", "memory", "8Gi");
        cluster.submit("app", "root.p.a", TaskSpec.of("t", 1, Resources.parse("memory", "1536Mi")))
                .cycle();

        check(
                cluster,
                new WaitReason.Quota("root.p", "memory", new Amount(512 << 20), true),
                "quota",
                "the task alone exceeds the maximum of queue root.p: 512Mi of memory missing");
    }

    /** The leaf is full only for now, its parent never has enough. */
    @Test
    void quota_ofParentTooSmall_isPermanent(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ p      max(vcore 3)
                   └─ a   max(vcore 4)
                """)).node("n", "vcore", "8");
        cluster.submit("small", "root.p.a", TaskSpec.of("t", 1, CORE)).cycle();
        cluster.submit("app", "root.p.a", TaskSpec.of("t", 1, Resources.parse("vcore", "4")))
                .cycle();

        WaitReason reason = new Explainer(cluster.partition())
                .explain(cluster.partition().existing("app"))
                .get(0)
                .reason();
        assertThat(reason).isEqualTo(new WaitReason.Quota("root.p", "vcore", new Amount(1000), true));
        assertThat(reason.isPermanent()).isTrue();
    }

    @Test
    void applicationLimit_ofParent_reportsMaximum(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                └─ p      applications(1)
                   ├─ a
                   └─ b
                """)).node("n", "vcore", "8");
        cluster.submit("first", "root.p.a", TaskSpec.of("t", 1, CORE));
        cluster.cycle();
        cluster.submit("second", "root.p.b", TaskSpec.of("t", 1, CORE)).cycle();

        check(
                cluster,
                new WaitReason.ApplicationLimit("root.p", 1),
                "application-limit",
                "queue root.p is at its maximum of 1 running application");
    }

    @Test
    void held_application_isReported(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8").submit("app", null, TaskSpec.single("t", CORE));
        cluster.hold("app").cycle();

        check(
                cluster,
                new WaitReason.Held(),
                "held",
                "the application is held: it starts nothing until it is released");
    }

    @Test
    void startTime_ofApplication_isReported(ClusterUnderTest cluster) {
        Instant start = Instant.parse("2100-01-01T00:00:00Z");
        simplest(cluster)
                .node("n", "vcore", "8")
                .submit(ApplicationSpec.open("app", null, TaskSpec.single("t", CORE))
                        .withStart(StartConditions.NONE.withNotBefore(start)));

        check(
                cluster,
                new WaitReason.NotBefore(start),
                "not-before",
                "the application starts nothing before 2100-01-01T00:00:00Z");
    }

    private static SortedMap<NodeState, Integer> notReady(NodeState state, int count) {
        return new TreeMap<>(Map.of(state, count));
    }

    @Test
    void noNodes_inPartition_isReported(ClusterUnderTest cluster) {
        simplest(cluster).submit("app", null, TaskSpec.single("t", CORE));

        check(
                cluster,
                new WaitReason.NoNodeFits(0, ALL_READY, NONE_EXCLUDED, NOTHING, 0),
                "no-node-fits",
                "the partition has no nodes");
    }

    @Test
    void noNode_ready_isReported(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8").offline("n").submit("app", null, TaskSpec.single("t", CORE));

        check(
                cluster,
                new WaitReason.NoNodeFits(0, notReady(NodeState.OFFLINE, 1), NONE_EXCLUDED, NOTHING, 0),
                "no-node-fits",
                "0 of 1 nodes fit: 1 offline");
    }

    @Test
    void noNodeFits_severalReasons_countsEach(ClusterUnderTest cluster) {
        Map<String, String> ssd = Map.of("disk", "ssd");
        simplest(cluster)
                .node("full", ssd, "vcore", "2", "memory", "4Gi")
                .node("small", ssd, "vcore", "1", "memory", "1Gi")
                .node("other", Map.of(), "vcore", "8", "memory", "8Gi")
                .node("away", ssd, "vcore", "8", "memory", "8Gi")
                .offline("away");
        cluster.submit("blocker", null, TaskSpec.single("t", CORE).withConstraints(Map.of(), "full"))
                .cycle();
        cluster.submit(
                "app",
                null,
                TaskSpec.single("t", Resources.parse("vcore", "2", "memory", "2Gi"))
                        .withConstraints(ssd, null));

        check(
                cluster,
                new WaitReason.NoNodeFits(
                        3, notReady(NodeState.OFFLINE, 1), noSsd(1), new TreeMap<>(Map.of("vcore", 2, "memory", 1)), 1),
                "no-node-fits",
                "0 of 4 nodes fit: 1 insufficient memory, 2 insufficient vcore, 1 lacks label disk=ssd,"
                        + " 1 offline");
    }

    @Test
    void noNodeFits_severalStates_countsEach(ClusterUnderTest cluster) {
        simplest(cluster).nodes("n", 6, "vcore", "8").offline("n-1").offline("n-3");
        cluster.suspend("n-2").lost("n-4").flaky("n-5");
        cluster.submit("app", null, TaskSpec.single("t", Resources.parse("vcore", "9")));
        SortedMap<NodeState, Integer> notReady = notReady(NodeState.OFFLINE, 2);
        notReady.put(NodeState.SUSPENDED, 1);
        notReady.put(NodeState.LOST, 1);
        notReady.put(NodeState.FLAKY, 1);

        check(
                cluster,
                new WaitReason.NoNodeFits(1, notReady, NONE_EXCLUDED, new TreeMap<>(Map.of("vcore", 1)), 0),
                "no-node-fits",
                "0 of 6 nodes fit: 1 insufficient vcore, 2 offline, 1 suspended, 1 lost, 1 flaky;"
                        + " too large for any eligible node even when empty");
    }

    @Test
    void noNodeFits_labelsMissing_isReported(ClusterUnderTest cluster) {
        TaskSpec task = TaskSpec.single("t", CORE).withConstraints(Map.of("disk", "ssd"), null);
        simplest(cluster).node("n", "vcore", "8").submit("app", null, task);
        check(
                cluster,
                new WaitReason.NoNodeFits(1, ALL_READY, noSsd(1), NOTHING, 0),
                "no-node-fits",
                "the only node lacks label disk=ssd");
        cluster.node("m", "vcore", "8");
        check(
                cluster,
                new WaitReason.NoNodeFits(2, ALL_READY, noSsd(2), NOTHING, 0),
                "no-node-fits",
                "0 of 2 nodes fit: 2 lack label disk=ssd");
    }

    @Test
    void noNodeFits_nodesExcluded_countsByFirstReason(ClusterUnderTest cluster) {
        simplest(cluster)
                .nodes("a", 3, "vcore", "8")
                .node("b", Map.of("disk", "ssd"), "vcore", "8")
                .node("c", Map.of("disk", "ssd", "zone", "x"), "vcore", "8")
                .node("d", Map.of("disk", "ssd", "zone", "x"), "vcore", "8")
                .node("e", Map.of("disk", "ssd", "zone", "x"), "vcore", "1")
                .taint("a-0", new Taint("gpu", "yes", TaintEffect.NO_SCHEDULE))
                .taint("c", new Taint("gpu", "yes", TaintEffect.NO_SCHEDULE))
                .taint("d", new Taint("drain", "", TaintEffect.NO_EXECUTE));
        TaskSpec task = TaskSpec.single("t", Resources.parse("vcore", "2"))
                .withConstraints(Constraints.ofSelector(Map.of("disk", "ssd"))
                        .withNodeAffinity(new NodeAffinity(
                                List.of(new NodeSelectorTerm(
                                        List.of(NodeSelectorRequirement.label("zone", "x")), List.of())),
                                List.of())));
        cluster.submit("app", null, task);
        SortedMap<NodeExclusion, Integer> excluded = noSsd(3);
        excluded.put(new NodeExclusion(NodeExclusion.Kind.AFFINITY, ""), 1);
        excluded.put(new NodeExclusion(NodeExclusion.Kind.TAINT, "gpu=yes"), 1);
        excluded.put(new NodeExclusion(NodeExclusion.Kind.TAINT, "drain"), 1);

        check(
                cluster,
                new WaitReason.NoNodeFits(7, ALL_READY, excluded, new TreeMap<>(Map.of("vcore", 1)), 0),
                "no-node-fits",
                "0 of 7 nodes fit: 1 insufficient vcore, 3 lack label disk=ssd, 1 does not match the node affinity,"
                        + " 1 has untolerated taint drain, 1 has untolerated taint gpu=yes;"
                        + " too large for any eligible node even when empty");
    }

    @Test
    void noNodeFits_manyTaints_countsRestTogether(ClusterUnderTest cluster) {
        simplest(cluster).nodes("n", 30, "vcore", "8");
        for (int i = 0; i < 30; i++) {
            cluster.taint("n-" + i, new Taint("team", String.valueOf(i), TaintEffect.NO_SCHEDULE));
        }
        cluster.submit("app", null, TaskSpec.single("t", CORE));

        String detail = explain(cluster).get(0).reason().detail();

        assertThat(detail).startsWith("0 of 30 nodes fit: 10 have untolerated taints, 1 has untolerated taint team=0,");
    }

    /** Zone a has two nodes, zone b one, and the last node is in none; the task needs no more than any node has. */
    @Test
    void noNodeFits_otherTasks_countsNodesByConstraint(ClusterUnderTest cluster) {
        simplest(cluster)
                .node("a-0", Map.of("zone", "a"), "vcore", "8")
                .node("a-1", Map.of("zone", "a"), "vcore", "8")
                .node("b", Map.of("zone", "b"), "vcore", "8")
                .node("x", "vcore", "8");
        LabelSelector web = LabelSelector.of(Map.of("app", "web"), List.of());
        TaskConstraints labelled = TaskConstraints.NONE.withLabels(Map.of("app", "web"));
        HostPort port = new HostPort(8080, HostPort.Protocol.TCP, HostPort.ANY_IP);
        cluster.submit(
                        "web",
                        null,
                        TaskSpec.single("t", CORE)
                                .withConstraints(Map.of(), "a-0")
                                .withConstraints(Constraints.NONE.withTasks(labelled.withPorts(List.of(port)))))
                .cycle();
        TaskAffinity inZone = new TaskAffinity(List.of(new TaskTerm(web, "zone")), List.of());
        checkDetail(
                cluster,
                TaskConstraints.NONE.withAntiAffinity(inZone).withPerNode(1),
                "will be considered in the next cycle");
        checkDetail(
                cluster,
                TaskConstraints.NONE
                        .withAffinity(inZone)
                        .withPorts(List.of(port))
                        .withAntiAffinity(new TaskAffinity(List.of(new TaskTerm(web, Topology.HOST)), List.of())),
                "will be considered in the next cycle");
        checkDetail(
                cluster,
                TaskConstraints.NONE.withAffinity(inZone).withAntiAffinity(inZone),
                "0 of 4 nodes fit: 1 lacks label zone, 2 have a task that this one must not be beside,"
                        + " 1 has no task that this one must be beside");
        checkDetail(
                cluster,
                labelled.withSpread(List.of(TopologySpread.of(1, "zone", web))).withAffinity(inZone),
                "0 of 4 nodes fit: 1 lacks label zone, 1 has no task that this one must be beside,"
                        + " 2 would exceed maxSkew 1 of zone");
        checkDetail(
                cluster,
                TaskConstraints.NONE
                        .withAffinity(inZone)
                        .withPorts(List.of(port))
                        .withSpread(List.of(new TopologySpread(1, Topology.HOST, true, web, 9, false, false))),
                "will be considered in the next cycle");
        checkDetail(
                cluster,
                TaskConstraints.NONE
                        .withAffinity(new TaskAffinity(List.of(new TaskTerm(web, Topology.HOST)), List.of()))
                        .withPorts(List.of(port)),
                "0 of 4 nodes fit: 3 have no task that this one must be beside, 1 has host port 8080 in use");
    }

    @Test
    void noNodeFits_excludedByOthers_countsNodes(ClusterUnderTest cluster) {
        simplest(cluster).nodes("n", 2, "vcore", "8");
        LabelSelector all = new LabelSelector(List.of());
        TaskConstraints alone = TaskConstraints.NONE.withAntiAffinity(
                new TaskAffinity(List.of(new TaskTerm(all, Topology.HOST)), List.of()));
        cluster.submit("alone", null, TaskSpec.of("t", 2, CORE).withConstraints(Constraints.NONE.withTasks(alone)))
                .cycle();
        checkDetail(cluster, TaskConstraints.NONE, "0 of 2 nodes fit: 2 have a task that must not be beside this one");
    }

    @Test
    void noNodeFits_perNode_countsNodes(ClusterUnderTest cluster) {
        simplest(cluster).nodes("n", 2, "vcore", "8");
        cluster.submit(
                        "app",
                        null,
                        TaskSpec.of("t", 3, CORE)
                                .withConstraints(Constraints.NONE.withTasks(TaskConstraints.NONE.withPerNode(1))))
                .cycle();
        assertThat(explain(cluster).get(0).reason().detail())
                .isEqualTo("0 of 2 nodes fit: 2 have the maximum of 1 of these tasks");
        assertThat(explain(cluster).get(0).reason().isPermanent()).isFalse();
    }

    private static void checkDetail(ClusterUnderTest cluster, TaskConstraints constraints, String detail) {
        String id = "app-" + cluster.partition().applications().size();
        cluster.submit(id, null, TaskSpec.single("t", CORE).withConstraints(Constraints.NONE.withTasks(constraints)));
        WaitReason reason = new Explainer(cluster.partition())
                .explain(cluster.application(id))
                .get(0)
                .reason();
        assertThat(reason.detail()).isEqualTo(detail);
        assertThat(reason.isPermanent()).isFalse();
    }

    private static SortedMap<NodeExclusion, Integer> noSsd(int nodes) {
        return new TreeMap<>(Map.of(new NodeExclusion(NodeExclusion.Kind.LABEL, "disk=ssd"), nodes));
    }

    @Test
    void noNodeFits_evenWhenEmpty_isReported(ClusterUnderTest cluster) {
        simplest(cluster)
                .node("n", "vcore", "8")
                .submit("app", null, TaskSpec.single("t", Resources.parse("gpu", "1")));

        check(
                cluster,
                new WaitReason.NoNodeFits(1, ALL_READY, NONE_EXCLUDED, new TreeMap<>(Map.of("gpu", 1)), 0),
                "no-node-fits",
                "insufficient gpu on the only node; too large for it even when empty");
    }

    @Test
    void noNodeFits_slotsUsedUp_isReported(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8", "slots", "1").submit("app", null, TaskSpec.of("t", 3, CORE));
        cluster.cycle();

        check(
                cluster,
                new WaitReason.NoNodeFits(1, ALL_READY, NONE_EXCLUDED, new TreeMap<>(Map.of("slots", 1)), 1),
                "no-node-fits",
                "insufficient slots on the only node");
    }

    @Test
    void requiredNode_offlineUnknownOrFull_isReported(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8").offline("n");
        cluster.submit("app", null, TaskSpec.single("t", CORE).withConstraints(Map.of(), "n"));
        check(
                cluster,
                new WaitReason.NodeOffline("n", NodeState.OFFLINE),
                "node-offline",
                "requires node n, which is offline");
        cluster.lost("n");
        check(
                cluster,
                new WaitReason.NodeOffline("n", NodeState.LOST),
                "node-offline",
                "requires node n, which is lost");
        cluster.removeNode("n");
        check(cluster, new WaitReason.NodeUnknown("n"), "node-unknown", "requires node n, which does not exist");
        cluster.node("n", "vcore", "0");
        check(
                cluster,
                new WaitReason.NoNodeFits(1, ALL_READY, NONE_EXCLUDED, new TreeMap<>(Map.of("vcore", 1)), 0),
                "no-node-fits",
                "insufficient vcore on the only node; too large for it even when empty");
    }

    @Test
    void behindStarting_startingApplication_isNamed(ClusterUnderTest cluster) {
        stateaware(cluster)
                .submit("first", "root.a", TaskSpec.single("t", CORE))
                .cycle();
        cluster.submit("second", "root.a", TaskSpec.single("t", CORE)).cycle();

        check(
                cluster,
                new WaitReason.BehindStarting("first"),
                "behind-starting",
                "its queue starts one application at a time, and first is first");
    }

    @Test
    void behindStarting_acceptedApplication_isNamed(ClusterUnderTest cluster) {
        stateaware(cluster)
                .submitSealed("running", "root.a", TaskSpec.single("t", Resources.parse("vcore", "8")))
                .cycle();
        cluster.submit("second", "root.a", TaskSpec.single("t", CORE));
        cluster.submit("first", "root.a", TaskSpec.single("t", CORE).withPriority(1));
        cluster.cycle();

        assertThat(explain(cluster))
                .extracting(waiting ->
                        waiting.application().id() + " " + waiting.reason().code())
                .containsExactly("second behind-starting", "first no-node-fits");
        assertThat(explain(cluster).get(0).reason()).isEqualTo(new WaitReason.BehindStarting("first"));
    }

    /** The first application fits on no node: this is its reason, and it does not block the others. */
    @Test
    void infeasibleApplication_accepted_doesNotBlock(ClusterUnderTest cluster) {
        stateaware(cluster)
                .submitSealed("running", "root.a", TaskSpec.single("t", Resources.parse("vcore", "8")))
                .cycle();
        cluster.submit("huge", "root.a", TaskSpec.single("t", Resources.parse("vcore", "9")));
        cluster.submit("next", "root.a", TaskSpec.single("t", CORE));
        cluster.submit("last", "root.a", TaskSpec.single("t", CORE));
        cluster.cycle();

        assertThat(explain(cluster))
                .extracting(waiting ->
                        waiting.application().id() + " " + waiting.reason().code())
                .containsExactly("huge no-node-fits", "next no-node-fits", "last behind-starting");
        assertThat(explain(cluster).get(0).reason().detail())
                .isEqualTo("insufficient vcore on the only node; too large for it even when empty");
        assertThat(explain(cluster).get(2).reason()).isEqualTo(new WaitReason.BehindStarting("next"));
    }

    @Test
    void afterTask_unmetCondition_isNamed(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8");
        cluster.submit(
                "app",
                null,
                TaskSpec.single("driver", CORE),
                TaskSpec.of("executor", 3, CORE).withAfter(Map.of("driver", TaskCondition.STARTED)));
        cluster.cycle();

        check(
                cluster,
                new WaitReason.AfterTask("driver", TaskCondition.STARTED),
                "after-task",
                "depends on driver, which has not started yet");
        assertThat(explain(cluster).get(0).tasks()).isEqualTo(3);
    }

    @Test
    void startableTask_beforeCycle_waitsForNextCycle(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8").submit("app", null, TaskSpec.single("t", CORE));

        check(cluster, new WaitReason.NextCycle(), "next-cycle", "will be considered in the next cycle");
    }

    @Test
    void tasks_withSameReason_areGrouped(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8");
        cluster.submit(
                "app",
                null,
                TaskSpec.of("t", 5, Resources.parse("gpu", "1")),
                TaskSpec.single("u", CORE),
                TaskSpec.of("v", 7, Resources.parse("gpu", "1")));

        List<PendingSummary> waiting = explain(cluster);

        assertThat(waiting).extracting(PendingSummary::tasks).containsExactly(12L, 1L);
        assertThat(waiting.get(0).groups()).hasToString("[app/t, app/v]");
    }

    @Test
    void explanation_withoutWaitingTasks_isEmpty(ClusterUnderTest cluster) {
        simplest(cluster).node("n", "vcore", "8").submit("app", null, TaskSpec.single("t", CORE));
        cluster.cycle();

        assertThat(explain(cluster)).isEmpty();
    }

    @Test
    @Timeout(120)
    @Tag("slow")
    void tenThousandDifferentTasks_explained_areFast(ClusterUnderTest cluster) {
        stateaware(cluster).nodes("m", 200, "vcore", "1");
        for (int i = 0; i < 10_000; i++) {
            cluster.submit("app-" + i, "root.a", TaskSpec.single("t", Resources.of("vcore", 10_000 + i)));
        }

        assertThat(explain(cluster)).hasSize(10_000);
    }

    private static void check(ClusterUnderTest cluster, WaitReason reason, String code, String detail) {
        List<PendingSummary> waiting = explain(cluster);
        assertThat(waiting).hasSize(1);
        assertThat(waiting.get(0).reason()).isEqualTo(reason);
        assertThat(reason.code()).isEqualTo(code);
        assertThat(reason.detail()).isEqualTo(detail);
    }

    private static List<PendingSummary> explain(ClusterUnderTest cluster) {
        return new Explainer(cluster.partition()).explainAll();
    }

    private static ClusterUnderTest simplest(ClusterUnderTest cluster) {
        return cluster.configure(PartitionConfiguration.simplest());
    }

    private static ClusterUnderTest stateaware(ClusterUnderTest cluster) {
        return cluster.queues(QueueTreeText.of("""
                root
                └─ a   stateaware
                """)).node("n", "vcore", "8");
    }
}
