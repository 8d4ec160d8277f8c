package dev.sluice.simulator.figures;

import java.util.List;

/**
 * Several configurations on the same workload and nodes, side by side.
 *
 * @param workload what was submitted, and to what nodes
 * @param runs a run for each configuration, in the order given; after them the bounds to compare with
 */
public record Comparison(WorkloadFigures workload, List<RunFigures> runs) {

    /** Copies the list. */
    public Comparison {
        runs = List.copyOf(runs);
    }
}
