package dev.sluice.simulator.figures;

import java.util.List;

/**
 * Utilisation of the nodes over time, of the most used resource of each node. With many nodes, adjacent nodes share a
 * row.
 *
 * @param rows the rows, from the first node to the last
 */
public record NodeTimeline(List<Row> rows) {

    /**
     * One node or a group of adjacent nodes.
     *
     * @param first the name of the first node
     * @param last the name of the last node
     * @param nodes the number of nodes
     * @param used the fraction of them in use over time
     */
    public record Row(String first, String last, int nodes, Series used) {}

    public NodeTimeline {
        rows = List.copyOf(rows);
    }
}
