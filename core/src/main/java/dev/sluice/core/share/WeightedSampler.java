package dev.sluice.core.share;

/** Weighted random sampling of positions. Drawing and changing a weight take log n steps. */
final class WeightedSampler {

    // a complete binary tree: vertex v contains the sum of its children 2v and 2v + 1, and the leaves are the weights
    private final double[] sums;
    private final int leaves;

    /** Creates a sampler whose weights are all 0. */
    WeightedSampler(int size) {
        int power = 1;
        while (power < size) {
            power *= 2;
        }
        leaves = power;
        sums = new double[2 * leaves];
    }

    /** Returns the sum of all weights; 0 only if all weights are 0. */
    double total() {
        return sums[1];
    }

    /** Sets the weights of all positions, each 0 or greater. */
    void setAll(double[] weights) {
        System.arraycopy(weights, 0, sums, leaves, weights.length);
        for (int vertex = leaves - 1; vertex >= 1; vertex--) {
            sums[vertex] = sums[2 * vertex] + sums[2 * vertex + 1];
        }
    }

    /** Sets the weight of one position. Recomputes the sums above it, so rounding errors do not accumulate. */
    void set(int position, double weight) {
        int vertex = leaves + position;
        sums[vertex] = weight;
        for (vertex /= 2; vertex >= 1; vertex /= 2) {
            sums[vertex] = sums[2 * vertex] + sums[2 * vertex + 1];
        }
    }

    /**
     * Returns the position for a sample from 0 (inclusive) to 1 (exclusive), never one with weight 0. The total must be
     * above 0.
     */
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
