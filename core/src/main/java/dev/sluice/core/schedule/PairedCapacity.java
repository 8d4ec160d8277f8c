package dev.sluice.core.schedule;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Vectors;
import java.util.Arrays;
import java.util.List;

/**
 * Amounts that tell of two resource types at once, kept beside the others so that a search is misled less often.
 *
 * <p>Some nodes have free GPUs but no core, others have cores but no GPU; the most of each that is free among them says that there is room for a task
 * that needs both. So for every type besides slots, cores and memory there is one amount more: how much there is of it and of
 * cores, the lesser of the two, each in parts of the most that any node has. What has room for a demand has at least as much of this
 * amount as the demand.
 */
final class PairedCapacity {

    private static final int PARTS = 1 << 20;

    private final int types;
    private final int vcore;
    private final int firstPaired;
    private final double[] units;

    /** The pairs of a partition's resource types, by the capacities of these nodes. */
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

    /** How many types and pairs there are together. */
    int width() {
        return types + Math.max(0, types - firstPaired);
    }

    /** Writes the pairs behind the amounts of the types. */
    void writePairs(long[] amounts) {
        for (int type = firstPaired; type < types; type++) {
            amounts[types + type - firstPaired] = Math.min(parts(amounts, vcore), parts(amounts, type));
        }
    }

    /** Rounded down, so more is never told as less. */
    private long parts(long[] amounts, int type) {
        return units[type] == 0 ? 0 : (long) (amounts[type] / units[type]);
    }

    /** A demand with its pairs. */
    long[] withPairs(long[] demand) {
        if (width() == types) {
            return demand;
        }
        long[] amounts = Arrays.copyOf(demand, width());
        writePairs(amounts);
        return amounts;
    }
}
