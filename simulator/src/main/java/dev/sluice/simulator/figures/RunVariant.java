package dev.sluice.simulator.figures;

/**
 * What distinguishes a run from the others of its comparison.
 *
 * @param configuration the name of the configuration or bound
 * @param nodes the name of the nodes, see {@link ClusterFigures}; empty if all runs have the same nodes
 */
public record RunVariant(String configuration, String nodes) {

    /** Returns the name of the run: {@code fair}, or {@code fair on gpu=8}. */
    public String name() {
        return nodes.isEmpty() ? configuration : configuration + " on " + nodes;
    }
}
