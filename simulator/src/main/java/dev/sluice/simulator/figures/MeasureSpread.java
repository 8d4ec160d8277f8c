package dev.sluice.simulator.figures;

import java.util.List;

/**
 * The spread of a measure over the repetitions of a run. Repetitions in which the measure has no value do not count;
 * all three values are NaN if it has none in any.
 *
 * @param measure the name of the measure
 * @param mean the mean
 * @param min the minimum
 * @param max the maximum
 */
public record MeasureSpread(String measure, double mean, double min, double max) {

    /** Returns the spread of these values, one for each repetition. */
    public static MeasureSpread of(String measure, List<Double> values) {
        double[] present = values.stream()
                .mapToDouble(value -> value)
                .filter(Double::isFinite)
                .toArray();
        if (present.length == 0) {
            return new MeasureSpread(measure, Double.NaN, Double.NaN, Double.NaN);
        }
        double sum = 0;
        double min = present[0];
        double max = present[0];
        for (double value : present) {
            sum += value;
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        // the mean of equal values may differ from them by a rounding error
        return new MeasureSpread(measure, Math.max(min, Math.min(max, sum / present.length)), min, max);
    }
}
