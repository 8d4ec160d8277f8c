package dev.sluice.simulator.figures;

import java.util.List;

/**
 * A quantity over time: its mean during each point of the axis.
 *
 * @param axis the times
 * @param values one value per point
 */
public record Series(TimeAxis axis, List<Double> values) {

    /** @throws IllegalArgumentException unless there is one value per point */
    public Series {
        values = List.copyOf(values);
        if (values.size() != axis.points()) {
            throw new IllegalArgumentException(values.size() + " values for " + axis.points() + " points");
        }
    }
}
