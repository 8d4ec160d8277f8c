package dev.sluice.core.schedule;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Vectors;
import java.util.Arrays;
import java.util.List;

/**
 * Additional amounts that combine two resource types, so that a search in the {@link CapacityTree} is misled less
 * often.
 *
 * <p>If some nodes have free GPUs but no free cores and others free cores but no free GPUs, the maxima of a subtree
 * suggest that a task that needs both fits. So for every type other than slots, vcore and memory there is one more
 * amount, its pair: the minimum of that type and vcore, each in parts of the largest capacity of any node. A node that
 * fits a demand has at least the pair of the demand.
 */
final class PairedCapacity {

    private static final int PARTS = 1 << 20;

    private final int types;
    private final int vcore;
    private final int firstPaired;
    private final double[] units;

    /** Creates the pairs for a partition's resource types, scaled by the capacities of these nodes. */
    PairedCapacity(Partition partition, List<Node> nodes) {
        this.types = partition.types().size();
        this.vcore = partition.types().find(ResourceTypes.VCORE);
        this.firstPaired = partition.types().find(ResourceTypes.MEMORY) + 1;
        this.units = new double[types];
        for (Node node : nodes) {
            for (int type = 0; type < types; type++) {
                units[type] = Math.max(units[type], (double) Vectors.at(node.capacityVector(), type) / PARTS);
            }
        }
    }

    /** Returns the number of types and pairs together. */
    int width() {
        return types + Math.max(0, types - firstPaired);
    }

    /** Writes the pairs after the amounts of the types. */
    void writePairs(long[] amounts) {
        for (int type = firstPaired; type < types; type++) {
            amounts[types + type - firstPaired] = Math.min(parts(amounts, vcore), parts(amounts, type));
        }
    }

    /** Rounds down, which keeps the order: a larger amount never has fewer parts than a smaller one. */
    private long parts(long[] amounts, int type) {
        return units[type] == 0 ? 0 : (long) (amounts[type] / units[type]);
    }

    /** Returns the demand followed by its pairs. */
    long[] withPairs(long[] demand) {
        if (width() == types) {
            return demand;
        }
        long[] amounts = Arrays.copyOf(demand, width());
        writePairs(amounts);
        return amounts;
    }
}
