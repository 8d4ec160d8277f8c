package dev.sluice.simulator.simulation;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.RunFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Runs several configurations on several clusters, and the bounds to compare them with, on the same workload.
 *
 * <p>Repetitions after the first have seeds that are derived from the seed of the experiment. Only the measures of
 * these runs are kept.
 */
public final class Experiment {

    private final ExperimentSetup setup;
    private final ExperimentWorkload workload;
    private final ExperimentListener listener;

    private Experiment(ExperimentSetup setup, ExperimentWorkload workload, ExperimentListener listener) {
        this.setup = setup;
        this.workload = workload;
        this.listener = listener;
    }

    /** The result of one simulation: its figures if they are shown, and the values of all measures. */
    private record RunResult(@Nullable RunFigures figures, List<MeasureSpread> values) {}

    /**
     * Runs all configurations and bounds.
     *
     * @throws IllegalArgumentException if the workload has no applications
     * @throws SimulationException if the engine rejects a configuration or a node, or times are out of range
     * @throws IOException if the workload cannot be read
     */
    public static Comparison run(ExperimentSetup setup, ExperimentListener listener) throws IOException {
        return run(setup, ExperimentWorkload.of(setup), listener);
    }

    /** Runs the simulations of an experiment without bounds on drawn workloads. */
    static Comparison run(ExperimentSetup setup, ExperimentWorkload workload, ExperimentListener listener)
            throws IOException {
        return new Experiment(setup, workload, listener).run();
    }

    private Comparison run() throws IOException {
        List<ExperimentRuns> repetitions = workload.repetitions().stream()
                .map(repetition -> new ExperimentRuns(setup, repetition, workload.sizeResource()))
                .toList();
        ExperimentRuns first = repetitions.get(0);
        List<SimulationSetup> runs = new ArrayList<>();
        repetitions.forEach(repetition -> runs.addAll(repetition.all()));
        int perRepetition = runs.size() / repetitions.size();
        for (int i = 0; i < runs.size(); i++) {
            String name = runs.get(i).variant().name();
            listener.planned(i, i < perRepetition ? name : name + " #" + (i / perRepetition + 1));
        }
        return new Comparison(
                first.workload(),
                merged(simulate(runs, perRepetition), perRepetition),
                first.clusters(),
                setup.repetitions(),
                List.of());
    }

    /** Returns the figures of the first repetition of each run, with the spread over all repetitions. */
    private static List<RunFigures> merged(List<RunResult> results, int perRepetition) {
        List<RunFigures> merged = new ArrayList<>();
        for (int i = 0; i < perRepetition; i++) {
            RunFigures figures = results.get(i).figures();
            if (figures == null) {
                throw new IllegalStateException("no figures of run " + i);
            }
            merged.add(
                    results.size() == perRepetition ? figures : figures.withSpread(spread(results, i, perRepetition)));
        }
        return merged;
    }

    private static List<MeasureSpread> spread(List<RunResult> results, int run, int perRepetition) {
        List<MeasureSpread> spread = new ArrayList<>();
        for (int measure = 0; measure < results.get(run).values().size(); measure++) {
            List<Double> values = new ArrayList<>();
            for (int i = run; i < results.size(); i += perRepetition) {
                values.add(results.get(i).values().get(measure).mean());
            }
            spread.add(MeasureSpread.of(results.get(run).values().get(measure).measure(), values));
        }
        return spread;
    }

    private List<RunResult> simulate(List<SimulationSetup> runs, int shown) throws IOException {
        List<Callable<RunResult>> simulations = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            int number = i;
            simulations.add(() -> simulate(number, runs.get(number), number < shown));
        }
        return SimulationThreads.all(setup.threads(), simulations);
    }

    private RunResult simulate(int number, SimulationSetup run, boolean shown) throws IOException {
        RunFigures figures = Simulation.run(
                run, (now, events, applicationsEnded) -> listener.advanced(number, now, events, applicationsEnded));
        listener.ended(number);
        List<MeasureSpread> values = Measure.of(List.of(figures)).stream()
                .map(measure -> measure.spread(figures))
                .toList();
        return new RunResult(shown ? figures : null, values);
    }
}
