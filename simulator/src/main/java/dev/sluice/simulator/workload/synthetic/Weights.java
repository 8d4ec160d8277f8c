package dev.sluice.simulator.workload.synthetic;

import java.util.Arrays;
import java.util.List;

/** Random draws in proportion to weights. */
final class Weights {

    /** The maximum weight, which keeps sums sufficiently precise. */
    static final double WEIGHT_MAX = 1e9;

    private final double[] sums;

    private Weights(double[] sums) {
        this.sums = sums;
    }

    /**
     * Creates a draw with these weights.
     *
     * @throws IllegalArgumentException unless at least one weight is greater than 0 and none is negative
     */
    static Weights of(List<Double> weights) {
        double[] sums = new double[weights.size()];
        double sum = 0;
        for (int i = 0; i < sums.length; i++) {
            double weight = weights.get(i);
            if (!(weight >= 0 && weight <= WEIGHT_MAX)) {
                throw new IllegalArgumentException("weight must be from 0 to " + WEIGHT_MAX + ": " + weight);
            }
            sum += weight;
            sums[i] = sum;
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException("at least one weight must be greater than 0");
        }
        return new Weights(sums);
    }

    /** Creates a Zipf distribution: the weights 1, 1 ÷ 2^exponent, 1 ÷ 3^exponent and so on. */
    static Weights zipf(int count, double exponent) {
        double[] sums = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += StrictMath.pow(i + 1, -exponent);
            sums[i] = sum;
        }
        return new Weights(sums);
    }

    /** Draws an index, from 0. */
    int draw(RandomStream draws) {
        double point = draws.next() * sums[sums.length - 1];
        int found = Arrays.binarySearch(sums, point);
        // an exact match belongs to the next index with a weight; items without weight have equal start and end
        int index = found < 0 ? -found - 1 : found + 1;
        while (index < sums.length && sums[index] <= point) {
            index++;
        }
        if (index < sums.length) {
            return index;
        }
        int last = sums.length - 1;
        while (last > 0 && sums[last - 1] >= sums[last]) {
            last--;
        }
        return last;
    }
}
