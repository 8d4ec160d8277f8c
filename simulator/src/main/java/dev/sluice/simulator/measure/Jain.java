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

    /** From 1 ÷ n, if one has everything, to 1, if all are alike or there is nothing to tell apart. */
    double index() {
        return count == 0 || squares == 0 ? 1 : sum * sum / (count * squares);
    }
}
