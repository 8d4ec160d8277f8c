package dev.sluice.simulator.figures;

import java.util.List;

/**
 * How much of the nodes was used over time, of the resource of which most was used. Of many nodes neighbours stand together in one row.
 *
 * @param rows from the first node to the last
 */
public record NodeTimeline(List<Row> rows) {

    /**
     * One node, or several.
     *
     * @param first the name of the first node
     * @param last the name of the last node
     * @param nodes how many there are
     * @param used which part of them was used, over time
     */
    public record Row(String first, String last, int nodes, Series used) {}

    /** Copies the list. */
    public NodeTimeline {
        rows = List.copyOf(rows);
    }
}
