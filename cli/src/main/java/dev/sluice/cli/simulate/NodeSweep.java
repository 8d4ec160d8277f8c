package dev.sluice.cli.simulate;

import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import java.util.function.LongFunction;

/**
 * The clusters of one value of {@code --nodes}: a single one, or one for each number of a range.
 *
 * @param from the first number
 * @param step the distance of the numbers, at least 1
 * @param size the number of clusters, at least 1
 * @param ofNumber returns the cluster of a number
 */
public record NodeSweep(long from, long step, int size, LongFunction<ExperimentCluster> ofNumber) {

    /** The maximum number of clusters of a range. */
    static final int SIZE_MAX = 10_000_000;

    /** Returns a sweep of this cluster alone. */
    public static NodeSweep single(ExperimentCluster cluster) {
        return new NodeSweep(0, 1, 1, number -> cluster);
    }

    /** Whether it is a range of several clusters. */
    public boolean isRange() {
        return size > 1;
    }

    /** Returns the cluster with this index, from 0. */
    public ExperimentCluster cluster(int index) {
        return ofNumber.apply(from + index * step);
    }
}
