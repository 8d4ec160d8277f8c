package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine starts gangs like the reference implementation on random clusters, in mixtures with everything else.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class GangClusterTest {

    private static final int CYCLES_PER_CLUSTER = 40;

    @Test
    void engine_randomGangs_matchesReference() {
        compare(24);
    }

    @Tag("slow")
    @Test
    void engine_manyRandomGangs_matchesReference() {
        compare(250);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomGangs_matchesReference() {
        compare(3_000);
    }

    private static void compare(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        EventCounts all = new EventCounts();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomCluster cluster = seed % 4 == 2
                    ? RandomCluster.ofClasses(seed, 4)
                    : new RandomCluster(
                            seed, seed % 4 == 1, seed % 8 == 3 ? RandomCluster.MANY_NODES : RandomCluster.FEW_NODES);
            cluster = seed % 3 == 0 ? cluster.limited() : cluster;
            cluster = seed % 5 == 0 ? cluster.controlled() : cluster;
            cluster = seed % 5 == 1 ? cluster.constrained() : cluster;
            cluster = seed % 4 == 0 || seed % 8 == 2 ? cluster.preempting() : cluster;
            cluster.ganging().run(CYCLES_PER_CLUSTER);
            all.add(cluster.eventCounts());
        }
        if (only < 0) {
            assertThat(all.gangs).as("gangs: %s", all).isGreaterThan(3L * clusters);
            assertThat(all.gangTimeouts).as("timeouts").isGreaterThan(clusters / 4);
            assertThat(all.gangStops).as("stops of other members").isGreaterThan(clusters / 4);
            assertThat(all.rebalances).as("rebalances").isPositive();
            assertThat(all.guarantees + all.priorities).as("preemptions").isGreaterThanOrEqualTo(clusters / 100);
            assertThat(all.draws).as("draws").isPositive();
        }
    }
}
