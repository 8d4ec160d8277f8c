package dev.sluice.core.share;

/** Weights by position, one of which is drawn with a probability in proportion to it. Drawing and changing a weight take log n steps. */
final class WeightedSampler {

    // a complete binary tree: the sum of the children 2v and 2v + 1 stands at v, and the weights are its leaves
    private final double[] sums;
    private final int leaves;

    /** So many weights, all 0. */
    WeightedSampler(int size) {
        int power = 1;
        while (power < size) {
            power *= 2;
        }
        leaves = power;
        sums = new double[2 * leaves];
    }

    /** The sum of all weights; 0 only if each of them is. */
    double total() {
        return sums[1];
    }

    /** Gives all positions their weights, each 0 or more. */
    void setAll(double[] weights) {
        System.arraycopy(weights, 0, sums, leaves, weights.length);
        for (int vertex = leaves - 1; vertex >= 1; vertex--) {
            sums[vertex] = sums[2 * vertex] + sums[2 * vertex + 1];
        }
    }

    /** Gives this position another weight. Sums are added anew, so no rounding is left behind. */
    void set(int position, double weight) {
        int vertex = leaves + position;
        sums[vertex] = weight;
        for (vertex /= 2; vertex >= 1; vertex /= 2) {
            sums[vertex] = sums[2 * vertex] + sums[2 * vertex + 1];
        }
    }

    /** The position that a number from 0 up to 1 hits; never one without weight. The total must be above 0. */
    int draw(double sample) {
        double rest = sample * sums[1];
        int vertex = 1;
        while (vertex < leaves) {
            double left = sums[2 * vertex];
            boolean goLeft = sums[2 * vertex + 1] == 0 || (left > 0 && rest < left);
            rest = goLeft ? rest : rest - left;
            vertex = goLeft ? 2 * vertex : 2 * vertex + 1;
        }
        return vertex - leaves;
    }
}
