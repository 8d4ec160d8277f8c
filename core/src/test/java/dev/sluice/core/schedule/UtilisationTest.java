package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes are ordered by exact utilisation. */
@ExtendWith(SchedulerExtension.class)
class UtilisationTest {

    /**
     * 2 ÷ 10 cores and 1 ÷ 10 GiB equal 3 ÷ 10 cores and no memory: then the name decides, whichever was filled first.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ab", "ba"})
    void equalUtilisation_ofDifferentAmounts_isOrderedByName(String filled, ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.FAIR, Map.of("vcore", 1.0, "memory", 1.0));
        cluster.node("a", "vcore", "10", "memory", "10Gi").node("b", "vcore", "10", "memory", "10Gi");
        fill(cluster, filled.substring(0, 1), "vcore", "2", "memory", "1Gi");
        fill(cluster, filled.substring(1), "vcore", "3");

        cluster.submitSealed("next", "root.default", TaskSpec.single("t", Resources.parse("vcore", "1")));

        assertThat(cluster.cycle()).containsExactly("next/t -> a");
    }

    /** 1 ÷ 3 and 2 ÷ 6 are equal, as is 0.1 × 1 ÷ 3 + 0.2 × 1 ÷ 3; none of these is exact as a double. */
    @Test
    void equalUtilisation_ofDifferentCapacities_isOrderedByName(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.BIN_PACKING, Map.of("vcore", 0.1, "memory", 0.2));
        cluster.node("c", "vcore", "3", "memory", "3Gi")
                .node("b", "vcore", "6", "memory", "6Gi")
                .node("a", "vcore", "9", "memory", "9Gi");
        fill(cluster, "c", "vcore", "1", "memory", "1Gi");
        fill(cluster, "b", "vcore", "2", "memory", "2Gi");
        fill(cluster, "a", "vcore", "3", "memory", "3Gi");

        cluster.submitSealed("next", "root.default", TaskSpec.single("t", Resources.parse("vcore", "1")));

        assertThat(cluster.cycle()).containsExactly("next/t -> a");
    }

    /** Amounts so large that adding 1 does not change them as doubles. */
    @Test
    void utilisation_equalAsDoubles_isDistinguished(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.FAIR, Map.of("disk", 1.0));
        long disk = 1L << 58;
        cluster.node("a", "vcore", "4", "disk", "" + disk).node("b", "vcore", "4", "disk", "" + disk);
        fill(cluster, "a", "disk", "" + (disk / 2 + 1));
        fill(cluster, "b", "disk", "" + (disk / 2));

        cluster.submitSealed("next", "root.default", TaskSpec.single("t", Resources.parse("vcore", "1")));

        assertThat(cluster.cycle()).containsExactly("next/t -> b");
    }

    @Test
    void slotOnlyNodes_fair_areFilledEvenly(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.FAIR, Map.of("vcore", 1.0, "memory", 1.0));
        cluster.node("a", "slots", "4").node("b", "slots", "2").node("c", "slots", "4");

        cluster.submitSealed("app", "root.default", TaskSpec.of("t", 8, Resources.NONE));

        assertThat(cluster.cycle())
                .extracting(line -> line.substring(line.indexOf("->") + 3))
                .containsExactly("a", "b", "c", "a", "c", "a", "b", "c");
    }

    @Test
    void slotOnlyNodes_binPacking_areFilledInTurn(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.BIN_PACKING, Map.of("vcore", 1.0, "memory", 1.0));
        cluster.node("a", "slots", "2").node("b", "slots", "4").node("c", "slots", "2");

        cluster.submitSealed("app", "root.default", TaskSpec.of("t", 5, Resources.NONE));

        assertThat(cluster.cycle())
                .extracting(line -> line.substring(line.indexOf("->") + 3))
                .containsExactly("a", "a", "b", "b", "b");
    }

    /** A node's slots only count if no other type has a weight: 3 of 4 cores are more than 1 of 2 slots. */
    @Test
    void nodes_withAndWithoutCores_compareOwnTypes(ClusterUnderTest cluster) {
        configure(cluster, NodeSortPolicy.FAIR, Map.of("vcore", 1.0, "memory", 1.0));
        cluster.node("cores", "vcore", "4", "slots", "100").node("slots", "slots", "2");
        fill(cluster, "cores", "vcore", "3");
        fill(cluster, "slots");

        cluster.submitSealed("next", "root.default", TaskSpec.single("t", Resources.parse("vcore", "0")));

        assertThat(cluster.cycle()).containsExactly("next/t -> slots");
    }

    /** Every comparison of random nodes equals that of fractions, and doubles are as close as documented. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void comparisons_ofRandomAmounts_matchFractions(long seed, ClusterUnderTest cluster) {
        Random random = new Random(seed);
        double[] weights = random.nextBoolean() ? new double[] {1, 1} : new double[] {0.1, 1e-7};
        configure(cluster, NodeSortPolicy.FAIR, Map.of("x", weights[0], "y", weights[1]));
        long unit = seed % 3 == 0 ? 1L << 50 : 1;
        for (int i = 0; i < 12; i++) {
            cluster.node(
                    "n" + i,
                    "x",
                    "" + unit * (1 + random.nextInt(6)) * 10,
                    "y",
                    "" + (random.nextInt(4) == 0 ? 0 : unit * (1 + random.nextInt(6)) * 7 + random.nextInt(2)));
        }
        Node[] nodes = cluster.partition().nodes().toArray(new Node[0]);
        Utilisation utilisation = new Utilisation(cluster.partition(), nodes, 1);
        int ties = 0;
        for (int step = 0; step < 20_000; step++) {
            int a = random.nextInt(nodes.length);
            int b = random.nextInt(nodes.length);
            long[] x = amounts(nodes[a], random);
            long[] y = amounts(nodes[b], random);
            int expected = exact(nodes[a], x, weights, nodes[b], y);
            int actual = utilisation.compare(a, x, 0, 1, b, y, 0);
            assertThat(Integer.signum(actual))
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(expected);
            double one = utilisation.key(a, x, 0);
            double other = utilisation.key(b, y, 0);
            if (Math.abs(one - other) > one * Utilisation.ERROR + Utilisation.TINY) {
                assertThat(Double.compare(one, other))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(expected);
            }
            ties += expected == 0 ? 1 : 0;
        }
        assertThat(ties).as("ties").isPositive();
    }

    /** Small parts of the node's capacity, sometimes more than all of it. */
    private static long[] amounts(Node node, Random random) {
        long[] amounts = new long[2];
        for (int i = 0; i < 2; i++) {
            long capacity = node.capacityVector()[i + 1];
            int parts = random.nextInt(12);
            amounts[i] = capacity / 10 * parts;
        }
        return amounts;
    }

    private static int exact(Node one, long[] x, double[] weights, Node other, long[] y) {
        BigInteger[] a = fraction(one, x, weights);
        BigInteger[] b = fraction(other, y, weights);
        return a[0].multiply(b[1]).compareTo(b[0].multiply(a[1]));
    }

    private static BigInteger[] fraction(Node node, long[] amounts, double[] weights) {
        BigInteger numerator = BigInteger.ZERO;
        BigInteger denominator = BigInteger.ONE;
        BigInteger weightSum = BigInteger.ZERO;
        for (int i = 0; i < 2; i++) {
            BigInteger capacity = BigInteger.valueOf(node.capacityVector()[i + 1]);
            if (capacity.signum() > 0) {
                BigInteger weight =
                        BigDecimal.valueOf(weights[i]).movePointRight(20).toBigIntegerExact();
                numerator = numerator
                        .multiply(capacity)
                        .add(weight.multiply(BigInteger.valueOf(amounts[i])).multiply(denominator));
                denominator = denominator.multiply(capacity);
                weightSum = weightSum.add(weight);
            }
        }
        return new BigInteger[] {numerator, denominator.multiply(weightSum)};
    }

    private static void configure(ClusterUnderTest cluster, NodeSortPolicy policy, Map<String, Double> weights) {
        PartitionConfiguration simplest = PartitionConfiguration.simplest();
        cluster.configure(new PartitionConfiguration(
                simplest.name(),
                simplest.root(),
                simplest.placementRules(),
                policy,
                new TreeMap<>(weights),
                simplest.preemption()));
    }

    private static void fill(ClusterUnderTest cluster, String node, String... resources) {
        TaskSpec task = TaskSpec.single("t", Resources.parse(resources)).withConstraints(Map.of(), node);
        cluster.submitSealed("fill-" + node, "root.default", task).cycle();
    }
}
