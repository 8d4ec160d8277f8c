package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine decides like the reference implementation on random clusters that mix all features, with every share
 * policy below every other.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class MixedClusterTest {

    private static final int CYCLES_PER_CLUSTER = 40;
    private static final int NESTED_POLICIES = 9;

    /** Fewer clusters need not contain everything. */
    private static final int COVERING_CLUSTERS = 100;

    @Test
    void engine_randomMixtures_matchesReference() {
        compare(8);
    }

    @Tag("slow")
    @Test
    void engine_manyRandomMixtures_matchesReference() {
        compare(200);
    }

    @Tag("long")
    @Test
    void engine_veryManyRandomMixtures_matchesReference() {
        compare(2_500);
    }

    @Test
    void mixtures_ofManySeeds_combineAnyThreeChoices() {
        Set<String> drawn = new TreeSet<>();
        for (long seed = 0; seed < 300; seed++) {
            drawn.addAll(new RandomMixture(seed).triples());
        }
        int features = RandomMixture.Feature.values().length;
        int pairs = features * (features - 1) / 2;
        assertThat(drawn).hasSize(pairs * (features - 2) / 3 + pairs * RandomMixture.Kind.values().length);
    }

    private static void compare(int clusters) {
        long only = Long.getLong("sluice.seed", -1);
        EventCounts all = new EventCounts();
        Set<String> nestedPolicies = new TreeSet<>();
        for (long seed = Math.max(0, only); seed < (only < 0 ? clusters : only + 1); seed++) {
            RandomMixture mixture = new RandomMixture(seed);
            RandomCluster cluster = mixture.cluster();
            try {
                cluster.run(CYCLES_PER_CLUSTER);
            } catch (AssertionError failure) {
                throw new AssertionError(mixture + ": " + failure.getMessage(), failure);
            }
            all.add(cluster.eventCounts());
            nestedPolicies.addAll(cluster.nestedPolicies());
        }
        if (only < 0) {
            assertThat(all.placements).as("placements").isGreaterThan(10L * clusters);
            assertThat(all.draws).as("draws: %s", all).isGreaterThan(clusters);
        }
        if (only < 0 && clusters >= COVERING_CLUSTERS) {
            checkCoverage(all, clusters);
            assertThat(nestedPolicies).hasSize(NESTED_POLICIES);
        }
    }

    private static void checkCoverage(EventCounts all, int clusters) {
        assertThat(all.gangs).as("gangs").isGreaterThan(clusters / 2);
        assertThat(all.gangStops).as("stops of other members").isGreaterThan(clusters / 20);
        assertThat(all.reservations).as("reservations: %s", all).isGreaterThan(clusters / 2);
        assertThat(all.backfills).as("tasks on nodes reserved for others").isGreaterThan(clusters / 10);
        assertThat(all.evictions).as("tasks that left tainted nodes").isGreaterThan(clusters / 4);
        assertThat(all.quotas).as("preemptions for maxima: %s", all).isGreaterThan(clusters / 10);
        assertThat(all.guarantees).as("preemptions for guarantees").isGreaterThan(clusters / 50);
        assertThat(all.priorities).as("preemptions for priorities").isGreaterThan(clusters / 50);
        assertThat(all.rebalances).as("rebalances: %s", all).isGreaterThan(clusters / 100);
    }
}
