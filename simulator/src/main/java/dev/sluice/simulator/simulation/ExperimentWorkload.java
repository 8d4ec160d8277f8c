package dev.sluice.simulator.simulation;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What all simulations of an experiment have in common, so that their figures are comparable.
 *
 * @param repetitions the workload of each repetition
 * @param sizeResource the resource that defines task sizes: the scarcest one on the first cluster
 */
record ExperimentWorkload(List<Repetition> repetitions, String sizeResource) {

    /**
     * The workload of a repetition.
     *
     * @param workload the workload, in any order
     * @param statistics its statistics
     * @param seed the random seed
     */
    record Repetition(Workload workload, WorkloadStatistics statistics, long seed) {}

    ExperimentWorkload {
        repetitions = List.copyOf(repetitions);
    }

    /** Draws the workloads of an experiment. */
    static ExperimentWorkload of(ExperimentSetup setup) throws IOException {
        List<Repetition> repetitions = new ArrayList<>();
        repetitions.add(new Repetition(setup.workload(), setup.statistics(), setup.seed()));
        SplittableRandom seeds = new SplittableRandom(setup.seed());
        while (repetitions.size() < setup.repetitions()) {
            long seed = seeds.nextLong();
            Workload redrawn = setup.workload().redrawn(seed);
            WorkloadStatistics statistics = redrawn == setup.workload() // of a recorded workload
                    ? setup.statistics()
                    : WorkloadStatistics.of(redrawn);
            repetitions.add(new Repetition(redrawn, statistics, seed));
        }
        String scarcest = setup.clusters().get(0).figures(setup.statistics().work()).scarcest().stream()
                .findFirst()
                .orElse(ResourceTypes.VCORE);
        return new ExperimentWorkload(repetitions, scarcest);
    }
}
