package dev.sluice.simulator.figures;

import java.util.List;

/**
 * The simulation results of several configurations on the same workload and nodes.
 *
 * @param workload the workload and the nodes
 * @param runs one run per configuration, in the order given, followed by the bounds
 */
public record Comparison(WorkloadFigures workload, List<RunFigures> runs) {

    public Comparison {
        runs = List.copyOf(runs);
    }
}
