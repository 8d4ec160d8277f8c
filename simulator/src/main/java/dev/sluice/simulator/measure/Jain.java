package dev.sluice.simulator.measure;

/** Jain's index of fairness; see {@link dev.sluice.simulator.figures.Definition#JAIN}. */
final class Jain {

    private double sum;
    private double squares;
    private long count;

    void add(double value) {
        sum += value;
        squares += value * value;
        count++;
    }

    /** Returns the index, from 1 ÷ n if one value is everything, to 1 if all values are equal or there are none. */
    double index() {
        return count == 0 || squares == 0 ? 1 : sum * sum / (count * squares);
    }
}
