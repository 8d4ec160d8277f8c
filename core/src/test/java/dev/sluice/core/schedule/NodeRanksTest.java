package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What searches for the best of many ranks cost, and the bits of conditions. */
@ExtendWith(SchedulerExtension.class)
class NodeRanksTest {

    private static final int NODES = 200;
    private static final Taint AVOID = new Taint("old", "", TaintEffect.PREFER_NO_SCHEDULE);

    private @Nullable EquivalenceClasses known;

    private EquivalenceClasses classes(ClusterUnderTest cluster) {
        EquivalenceClasses classes = known;
        if (classes == null) {
            classes = new EquivalenceClasses(cluster.partition());
            known = classes;
        }
        return classes;
    }

    private static NodePreference prefer(int weight, String label) {
        NodeSelectorRequirement exists =
                new NodeSelectorRequirement(label, NodeSelectorRequirement.Operator.EXISTS, List.of());
        return new NodePreference(weight, new NodeSelectorTerm(List.of(exists), List.of()));
    }

    /** Submits a task and returns its class, in use by one backlog. */
    private EquivalenceClass submit(ClusterUnderTest cluster, String id, String cores, Constraints constraints) {
        cluster.submit(
                id, null, TaskSpec.of("t", 1, Resources.parse("vcore", cores)).withConstraints(constraints));
        EquivalenceClass submitted = classes(cluster)
                .intern(Objects.requireNonNull(cluster.application(id).group("t")));
        classes(cluster).use(submitted);
        return submitted;
    }

    /** Each node matches another one of 200 sums of weights. */
    private static ClusterUnderTest withNodesOfManyRanks(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest());
        for (int number = 0; number < NODES; number++) {
            Map<String, String> labels = Map.of("tens-" + number / 10, "", "ones-" + number % 10, "");
            cluster.node("n" + number, labels, "vcore", "1");
        }
        return cluster;
    }

    private static Constraints ofManyRanks() {
        List<NodePreference> preferences = new ArrayList<>();
        for (int i = 0; i < NODES / 10; i++) {
            for (int tenfold = 0; tenfold < i; tenfold += 10) {
                preferences.add(prefer(10 * Math.min(10, i - tenfold), "tens-" + i));
            }
        }
        for (int i = 1; i < 10; i++) {
            preferences.add(prefer(i, "ones-" + i));
        }
        return Constraints.NONE.withNodeAffinity(new NodeAffinity(List.of(), preferences));
    }

    @Test
    void search_asManyRanksAsNodes_comparesEachNodeOncePerSearch(ClusterUnderTest cluster) {
        withNodesOfManyRanks(cluster);
        EquivalenceClass submitted = submit(cluster, "app", "1", ofManyRanks());
        cluster.hold("app");
        NodeOrder order = new NodeOrder(cluster.partition(), classes(cluster));

        for (int best = NODES - 1; best >= 0; best--) {
            Node node = Objects.requireNonNull(order.firstFit(submitted));
            assertThat(node).hasToString("n" + best);
            assertThat(submitted.ranks.compared).isLessThanOrEqualTo((long) NODES * (NODES - best));
            TaskSpec filling = TaskSpec.of("t", 1, Resources.parse("vcore", "1"))
                    .withConstraints(Constraints.ofSelector(node.labels()));
            cluster.submit("fill-" + best, null, filling).cycle();
            order.update(node);
        }

        assertThat(order.firstFit(submitted)).isNull();
        assertThat(submitted.ranks.computed).isEqualTo(NODES);
    }

    /** The best node, n9, is full. */
    @Test
    void search_higherRankWithoutRoom_stopsAtFirstNodeOfNextRank(ClusterUnderTest cluster) {
        withNodesOfManyRanks(cluster);
        for (int number = 0; number < NODES; number += 10) {
            cluster.taint("n" + number, AVOID);
        }
        cluster.updateNode("n9", "vcore", "0");
        Constraints constraints = Constraints.NONE.withNodeAffinity(
                new NodeAffinity(List.of(), List.of(prefer(1, "tens-0"), prefer(1, "ones-9"))));
        EquivalenceClass submitted = submit(cluster, "app", "1", constraints);
        NodeOrder order = new NodeOrder(cluster.partition(), classes(cluster));
        assertThat(order.firstFit(submitted)).hasToString("n1"); // as good as n2 to n8, n19, n29, …
        assertThat(submitted.ranks.compared).isEqualTo(NODES - 1);

        assertThat(order.firstFit(submitted)).hasToString("n1"); // n0 and n1 are the first in order
        assertThat(submitted.ranks.compared).isEqualTo(NODES - 1 + 2);
    }

    /** The last nodes in order are preferred: searches soon find them without visiting the others. */
    @Test
    void search_preferredNodesLastInOrder_visitsOthersFewTimes(ClusterUnderTest cluster) {
        withNodesOfManyRanks(cluster);
        Constraints last = Constraints.NONE.withNodeAffinity(
                new NodeAffinity(List.of(), List.of(prefer(1, "tens-9"), prefer(2, "tens-8"))));
        EquivalenceClass submitted = submit(cluster, "app", "100m", last);
        cluster.hold("app");
        NodeOrder order = new NodeOrder(cluster.partition(), classes(cluster));

        for (int placed = 0; placed < 200; placed++) {
            // under the policy fair the nodes that have tasks are last
            Node node = Objects.requireNonNull(order.firstFit(submitted));
            int round = placed % 10;
            assertThat(node).hasToString("n" + (placed < 100 ? 80 + round : 90 + round));
            TaskSpec task = TaskSpec.of("t", 1, Resources.parse("vcore", "100m"))
                    .withConstraints(Constraints.ofSelector(node.labels()));
            cluster.submit("fill-" + placed, null, task).cycle();
            order.update(node);
        }

        assertThat(order.firstFit(submitted)).hasToString("n0");
        assertThat(submitted.ranks.compared).isLessThan(10L * NODES);
        for (String ended : List.of("fill-150", "fill-3")) {
            Node node =
                    cluster.application(ended).groups().get(0).placed().get(0).node();
            cluster.succeed(ended + "/t-0");
            order.update(node);
        }
        submitted.rankMax = Long.MAX_VALUE; // as at the begin of a cycle
        assertThat(order.firstFit(submitted)).hasToString("n83");
    }

    @Test
    void ranks_ofClassesWithSamePreferences_areComputedOnce(ClusterUnderTest cluster) {
        withNodesOfManyRanks(cluster).taint("n0", AVOID);
        EquivalenceClass small = submit(cluster, "small", "500m", Constraints.NONE);
        EquivalenceClass large = submit(cluster, "large", "1", Constraints.ofSelector(Map.of("ones-3", "")));
        EquivalenceClass other = submit(cluster, "other", "1", ofManyRanks());
        NodeOrder order = new NodeOrder(cluster.partition(), classes(cluster));

        assertThat(order.firstFit(small)).hasToString("n1");
        assertThat(order.firstFit(large)).hasToString("n103");
        assertThat(order.firstFit(other)).hasToString("n199");

        assertThat(small.ranks).isSameAs(large.ranks).isNotSameAs(other.ranks);
        assertThat(small.ranks.computed).isEqualTo(NODES);
        classes(cluster).release(small);
        classes(cluster).release(large);
        assertThat(submit(cluster, "later", "500m", Constraints.NONE).ranks).isNotSameAs(small.ranks);
    }

    @Test
    void ranks_withoutPreferencesAndTaints_areNotComputed(ClusterUnderTest cluster) {
        withNodesOfManyRanks(cluster);
        EquivalenceClass plain = submit(cluster, "plain", "1", Constraints.NONE);

        assertThat(new NodeOrder(cluster.partition(), classes(cluster)).firstFit(plain))
                .hasToString("n0");
        assertThat(plain.ranks.computed).isZero();
    }

    private static Constraints select(int label) {
        return Constraints.ofSelector(Map.of("label-" + label, ""));
    }

    /** One bit is that of the taints, which all classes here share. */
    @Test
    void bits_ofReleasedClasses_areGivenToOthers(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "1");
        submit(cluster, "many", "1", ofManyRanks());
        List<EquivalenceClass> used = new ArrayList<>();
        for (int i = 1; i < NodeConditions.BITS; i++) {
            used.add(submit(cluster, "a" + i, "1", select(i)));
        }
        assertThat(used).allMatch(each -> each.maskSuffices);
        EquivalenceClass without = submit(cluster, "without", "1", select(100));
        assertThat(without.maskSuffices).isFalse();

        classes(cluster).release(used.get(7));
        EquivalenceClass same = submit(cluster, "same", "2", select(100));
        assertThat(same.maskSuffices).isTrue();
        assertThat(Long.bitCount(same.mask)).isEqualTo(2);
        assertThat(same.mask).isEqualTo(used.get(7).mask);
        assertThat(submit(cluster, "next", "1", select(101)).maskSuffices).isFalse();
        classes(cluster).release(without); // had no bit to give back
        assertThat(submit(cluster, "last", "1", select(102)).maskSuffices).isFalse();
    }

    @Test
    void bit_ofReleasedCondition_isEvaluatedForTheNextOne(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest());
        for (int i = 1; i <= NodeConditions.BITS; i++) {
            cluster.node("n" + i, Map.of("label-" + i, ""), "vcore", "4");
        }
        cluster.cycle(); // the nodes are no changes any more
        List<EquivalenceClass> used = new ArrayList<>();
        for (int i = 1; i < NodeConditions.BITS; i++) {
            used.add(submit(cluster, "a" + i, "1", select(i)));
        }
        NodeCapacityIndex index = new NodeCapacityIndex(cluster.partition(), classes(cluster));
        EquivalenceClass without = submit(cluster, "without", "1", select(NodeConditions.BITS));
        classes(cluster).release(used.get(0));
        EquivalenceClass with = submit(cluster, "with", "2", select(NodeConditions.BITS));
        index.sync(cluster.partition().changes());
        index.beginCycle();

        assertThat(with.mask).isEqualTo(used.get(0).mask);
        assertThat(index.first(with)).hasToString("n" + NodeConditions.BITS);
        assertThat(index.first(without)).hasToString("n" + NodeConditions.BITS);
        assertThat(index.first(used.get(1))).hasToString("n2");
    }

    /** A job after the other with the same selector: no node is evaluated again. */
    @Test
    void bit_ofConditionThatReturns_isKept(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "1");
        EquivalenceClass first = submit(cluster, "first", "1", select(1));
        assertThat(classes(cluster).conditions().takeChanged()).isTrue();
        classes(cluster).release(first);

        EquivalenceClass second = submit(cluster, "second", "1", select(1));
        assertThat(second).isNotSameAs(first);
        assertThat(second.mask).isEqualTo(first.mask);
        assertThat(classes(cluster).conditions().takeChanged()).isFalse();
    }
}
