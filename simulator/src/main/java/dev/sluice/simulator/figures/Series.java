package dev.sluice.simulator.figures;

import java.util.List;

/**
 * How something went over time: its mean during each point of the axis.
 *
 * @param axis the times
 * @param values one for each point
 */
public record Series(TimeAxis axis, List<Double> values) {

    /** Copies the list; throws {@link IllegalArgumentException} unless there is one value for each point. */
    public Series {
        values = List.copyOf(values);
        if (values.size() != axis.points()) {
            throw new IllegalArgumentException(values.size() + " values for " + axis.points() + " points");
        }
    }
}
