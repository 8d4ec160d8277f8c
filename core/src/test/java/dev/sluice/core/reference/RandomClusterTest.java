package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine decides like the reference implementation on random clusters, each of which has one or a few features.
 * {@link MixedClusterTest} mixes all of them.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class RandomClusterTest {

    private static final int CYCLES_PER_CLUSTER = 40;

    @Test
    void engine_randomClusters_matchesReference() {
        compare(40);
    }

    @Tag("slow")
    @Test
    void engine_manyRandomClusters_matchesReference() {
        compare(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomClusters_matchesReference() {
        compare(2_500);
    }

    @Tag("slow")
    @Test
    void engine_manyRandomUsageClusters_matchesReference() {
        compareUsage(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomUsageClusters_matchesReference() {
        compareUsage(2_500);
    }

    /** Three levels that share by usage: the order in which one level defers tasks affects the draws of another. */
    @Test
    void engine_usageBelowUsage_matchesReference() {
        new RandomCluster(2_223, true, RandomCluster.FEW_NODES).run(CYCLES_PER_CLUSTER);
    }

    @Test
    void engine_randomControlledClusters_matchesReference() {
        EventCounts all = new EventCounts();
        for (int seed = 0; seed < 20; seed++) {
            RandomCluster cluster = new RandomCluster(seed, seed % 4 == 0, RandomCluster.FEW_NODES).controlled();
            (seed % 3 == 0 ? cluster.limited() : cluster).run(CYCLES_PER_CLUSTER);
            all.add(cluster.eventCounts());
        }
        assertThat(all.retriesDue).as("retries after a delay").isGreaterThan(20);
        assertThat(all.updates).as("updates").isGreaterThan(40);
        assertThat(all.quotasSet).as("quotas of queues").isGreaterThan(20);
        assertThat(all.retriesInNewQueues).as("retries in queues created again").isGreaterThan(10);
    }

    @Tag("slow")
    @Test
    void engine_manyRandomConstrainedClusters_matchesReference() {
        compareConstrained(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomConstrainedClusters_matchesReference() {
        compareConstrained(3_000);
    }

    /** Mixtures of taints and constraints with every share policy, with limits, and with changes of applications. */
    private static void compareConstrained(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = seed % 5 == 2
                    ? RandomCluster.ofClasses(seed, 4)
                    : new RandomCluster(
                            seed, seed % 5 == 1, seed % 5 == 3 ? RandomCluster.MANY_NODES : RandomCluster.FEW_NODES);
            cluster = seed % 3 == 0 ? cluster.limited() : cluster;
            cluster = seed % 4 == 0 ? cluster.controlled() : cluster;
            cluster.constrained().run(CYCLES_PER_CLUSTER);
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.placements).as("placements").isGreaterThan(10L * clusters);
            assertThat(all.evictions).as("tasks that left tainted nodes").isGreaterThan(clusters);
            assertThat(all.rebalances).as("rebalances").isPositive();
            assertThat(all.draws).as("draws").isPositive();
        }
    }

    @Tag("slow")
    @Test
    void engine_manyRandomLimitedClusters_matchesReference() {
        compareLimited(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomLimitedClusters_matchesReference() {
        compareLimited(3_000);
    }

    /** Of each three clusters, one shares often by usage and one mostly by load. */
    private static void compareLimited(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = seed % 3 == 2
                    ? RandomCluster.ofClasses(seed, 4)
                    : new RandomCluster(seed, seed % 3 == 1, RandomCluster.FEW_NODES);
            cluster.limited().run(CYCLES_PER_CLUSTER);
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.placements).as("placements").isGreaterThan(10L * clusters);
            assertThat(all.limited).as("limits reached").isGreaterThan(5L * clusters);
            assertThat(all.rebalances).as("rebalances").isGreaterThan(clusters / 20);
            assertThat(all.draws).as("draws").isGreaterThan(clusters);
        }
    }

    @Tag("slow")
    @Test
    void engine_manyRandomPreemptingClusters_matchesReference() {
        comparePreempting(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomPreemptingClusters_matchesReference() {
        comparePreempting(2_500);
    }

    /**
     * Of each four clusters, two are contended (one of them controlled), one shares often by usage, one has limits;
     * two of five have constraints.
     */
    private static void comparePreempting(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = seed % 2 == 0
                    ? RandomCluster.ofClasses(seed, 4)
                    : new RandomCluster(seed, seed % 4 == 1, RandomCluster.FEW_NODES);
            cluster = seed % 4 == 3 ? cluster.limited() : seed % 4 == 0 ? cluster.controlled() : cluster;
            cluster = seed % 5 >= 3 ? cluster.constrained() : cluster;
            cluster.preempting().run(CYCLES_PER_CLUSTER);
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.placements).as("placements").isGreaterThan(10L * clusters);
            assertThat(all.guarantees)
                    .as("tasks preempted for guarantees: %s", all)
                    .isGreaterThan(clusters / 5);
            assertThat(all.priorities)
                    .as("tasks preempted for priorities: %s", all)
                    .isGreaterThan(clusters / 10);
            assertThat(all.exclusions)
                    .as("reserved tasks excluded from their nodes: %s", all)
                    .isGreaterThan(clusters / 8);
            assertThat(all.quotas).as("tasks preempted for maxima: %s", all).isGreaterThan(clusters / 3);
        }
    }

    @Tag("slow")
    @Test
    void engine_manyRandomReservingClusters_matchesReference() {
        compareReserving(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomReservingClusters_matchesReference() {
        compareReserving(2_500);
    }

    /** Reservations in mixtures with every share policy, with preemption, limits, constraints, gangs and many nodes. */
    private static void compareReserving(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = reserving(seed);
            cluster.run(CYCLES_PER_CLUSTER);
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.placements).as("placements").isGreaterThan(10L * clusters);
            assertThat(all.reservations).as("reservations: %s", all).isGreaterThan(3L * clusters);
            assertThat(all.delayedReservations).as("late reservations").isGreaterThan(clusters / 2);
            assertThat(all.startedReservations).as("reservations that started").isGreaterThan(clusters);
            assertThat(all.oftenDelayedReservations)
                    .as("reservations delayed more than once, many of them firm: %s", all)
                    .isGreaterThan(clusters / 10);
            assertThat(all.backfills)
                    .as("tasks placed on nodes reserved for others")
                    .isGreaterThan(clusters / 4);
        }
    }

    private static RandomCluster reserving(long seed) {
        RandomCluster cluster = seed % 3 == 0
                ? RandomCluster.ofClasses(seed, 4)
                : new RandomCluster(
                        seed, seed % 3 == 1, seed % 7 == 2 ? RandomCluster.MANY_NODES : RandomCluster.FEW_NODES);
        cluster = seed % 4 == 0 ? cluster.preempting() : seed % 4 == 1 ? cluster.controlled() : cluster;
        cluster = seed % 5 == 0 ? cluster.limited() : seed % 5 == 1 ? cluster.constrained() : cluster;
        cluster.reserving();
        return seed % 6 < 2 ? cluster.ganging() : cluster;
    }

    /** A gang fits a node that is not reserved any more, though nothing on the node has changed. */
    @Test
    void engine_gangBesideReservationThatEnds_matchesReference() {
        reserving(2245).run(CYCLES_PER_CLUSTER);
    }

    @Test
    void engine_randomLargeClusters_matchesReference() {
        compareManyNodes(2);
    }

    @Tag("slow")
    @Test
    void engine_manyRandomLargeClusters_matchesReference() {
        compareManyNodes(25);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomLargeClusters_matchesReference() {
        compareManyNodes(500);
    }

    @Tag("slow")
    @Test
    void engine_manyRandomLoadClusters_matchesReference() {
        compareClasses(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomLoadClusters_matchesReference() {
        compareClasses(2_500);
    }

    private static void compareClasses(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = RandomCluster.ofClasses(seed, 4);
            cluster.run(CYCLES_PER_CLUSTER);
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.rebalances).as("rebalances").isGreaterThan(clusters / 5);
            assertThat(all.stops).as("preempted tasks").isGreaterThan(all.rebalances);
            assertThat(all.unstartable)
                    .as("classes with unstartable pending tasks")
                    .isGreaterThan(clusters);
            assertThat(all.vainRebalances)
                    .as("due rebalances for which no victims help")
                    .isGreaterThan(clusters / 4);
        }
    }

    private static void compareManyNodes(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        long cycles = 0;
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = new RandomCluster(seed, seed % 4 == 3, RandomCluster.MANY_NODES);
            cluster.run(CYCLES_PER_CLUSTER);
            cycles += cluster.cycles();
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.placements).as("placements in %s cycles", cycles).isGreaterThan(cycles);
        }
    }

    private static void compareUsage(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        long cycles = 0;
        long replacements = 0;
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = new RandomCluster(seed, true, RandomCluster.FEW_NODES);
            cluster.run(CYCLES_PER_CLUSTER);
            cycles += cluster.cycles();
            replacements += cluster.replacements();
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.placements).as("placements in %s cycles", cycles).isGreaterThan(cycles);
            assertThat(replacements).as("restarts from a checkpoint").isGreaterThan(10L * clusters);
            assertThat(all.draws).as("draws").isGreaterThan(10L * clusters);
            assertThat(all.rebalances).as("rebalances").isPositive();
        }
    }

    /** A task is preempted on a node after a reservation of that node has ended in the same cycle. */
    @Test
    void engine_preemptionAfterReservationEnds_matchesReference() {
        new RandomCluster(1011, true, RandomCluster.FEW_NODES).run(CYCLES_PER_CLUSTER);
    }

    private static void compare(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        long cycles = 0;
        long refusals = 0;
        long nodesRemoved = 0;
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = new RandomCluster(seed, false, RandomCluster.FEW_NODES);
            cluster.run(CYCLES_PER_CLUSTER);
            cycles += cluster.cycles();
            all.add(cluster.eventCounts());
            refusals += cluster.refusals();
            nodesRemoved += cluster.nodesRemoved();
        }
        if (only < 0) {
            // with hardly any placement, or nearly all commands refused, agreement would mean little
            assertThat(all.placements).as("placements in %s cycles", cycles).isGreaterThan(cycles);
            assertThat(refusals).as("refused commands").isPositive();
            assertThat(nodesRemoved).as("lost nodes that were removed").isGreaterThan(clusters / 2);
            assertThat(all.rebalances).as("rebalances").isGreaterThan(clusters / 8);
            assertThat(all.stops).as("tasks preempted by rebalancing").isGreaterThan(clusters / 4);
            assertThat(all.reservedPlacements).as("reserved placements").isGreaterThan(clusters / 4);
            assertThat(all.releases).as("released reservations").isGreaterThan(clusters / 8);
            assertThat(all.spreadsReturned)
                    .as("spreads that returned by themselves")
                    .isGreaterThan(clusters / 2);
            assertThat(all.submissionTies).as("steps with ties in submission").isGreaterThan(clusters);
            assertThat(all.infeasible).as("steps with infeasible applications").isGreaterThan(clusters / 4);
        }
    }
}
