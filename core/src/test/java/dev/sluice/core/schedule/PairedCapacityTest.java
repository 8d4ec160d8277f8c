package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SchedulerExtension.class)
class PairedCapacityTest {

    private static PairedCapacity pairsOf(Partition partition) {
        return new PairedCapacity(partition, List.copyOf(partition.nodes()));
    }

    private static long[] vector(Partition partition, String... amounts) {
        long[] vector = new long[partition.types().size()];
        long[] named = partition.types().vector(Resources.parse(amounts), 0);
        System.arraycopy(named, 0, vector, 0, named.length);
        return vector;
    }

    @Test
    void pairs_nodesLackingOneType_excludeBoth(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("gpus", "vcore", "8", "memory", "64Gi", "gpu", "8")
                .node("cores", "vcore", "64", "memory", "64Gi");
        Partition partition = cluster.partition();
        PairedCapacity pairs = pairsOf(partition);
        int pair = pairs.width() - 1;

        long[] demand = pairs.withPairs(vector(partition, "vcore", "2", "gpu", "1"));

        assertThat(pairs.withPairs(vector(partition, "gpu", "8"))[pair]).isLessThan(demand[pair]);
        assertThat(pairs.withPairs(vector(partition, "vcore", "64"))[pair]).isLessThan(demand[pair]);
        assertThat(pairs.withPairs(vector(partition, "vcore", "2", "gpu", "1"))[pair])
                .isEqualTo(demand[pair]);
    }

    @Test
    void pairs_withoutSpecialTypes_areEmpty(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "8", "memory", "64Gi");
        long[] demand = vector(cluster.partition(), "vcore", "2");

        assertThat(pairsOf(cluster.partition()).withPairs(demand)).isSameAs(demand);
    }

    /** A node with sufficient capacity must never be reported to have less than the demand. */
    @Test
    void pairs_ofLargerCapacity_areNeverSmaller(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("small", "vcore", "3", "memory", "7Gi", "gpu", "3", "licence", "1")
                .node("large", "vcore", "9000000000000", "memory", "64Gi", "gpu", "700000001");
        PairedCapacity pairs = pairsOf(cluster.partition());
        int types = cluster.partition().types().size();
        long seed = 3;
        Random random = new Random(seed);
        for (int step = 0; step < 100_000; step++) {
            long[] demand = new long[types];
            long[] room = new long[types];
            for (int type = 0; type < types; type++) {
                demand[type] = random.nextLong() >>> (1 + random.nextInt(63));
                long more = demand[type] + (random.nextLong() >>> (1 + random.nextInt(63)));
                room[type] = random.nextBoolean() ? demand[type] : Math.max(demand[type], more);
            }
            long[] demanded = pairs.withPairs(demand);
            long[] offered = pairs.withPairs(room);
            for (int i = 0; i < demanded.length; i++) {
                assertThat(offered[i]).as("seed %d, step %d", seed, step).isGreaterThanOrEqualTo(demanded[i]);
            }
        }
    }
}
