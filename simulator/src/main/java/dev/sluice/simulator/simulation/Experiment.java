package dev.sluice.simulator.simulation;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs several configurations on several clusters, and the bounds to compare them with, on the same workload.
 *
 * <p>Repetitions after the first have seeds that are derived from the seed of the experiment. Only the measures of
 * these runs are kept.
 */
public final class Experiment {

    private final ExperimentSetup setup;
    private final ExperimentListener listener;

    private Experiment(ExperimentSetup setup, ExperimentListener listener) {
        this.setup = setup;
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
        return new Experiment(setup, listener).run();
    }

    private Comparison run() throws IOException {
        ExperimentRuns first = new ExperimentRuns(setup, setup.workload(), setup.statistics(), setup.seed());
        List<SimulationSetup> runs = new ArrayList<>(first.all());
        int perRepetition = runs.size();
        SplittableRandom seeds = new SplittableRandom(setup.seed());
        for (int i = 1; i < setup.repetitions(); i++) {
            long seed = seeds.nextLong();
            Workload redrawn = setup.workload().redrawn(seed);
            WorkloadStatistics statistics = redrawn == setup.workload() // of a recorded workload
                    ? setup.statistics()
                    : WorkloadStatistics.of(redrawn);
            runs.addAll(new ExperimentRuns(setup, redrawn, statistics, seed).all());
        }
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

    /** Simulates the runs in parallel; the result of a run does not depend on the others. */
    private List<RunResult> simulate(List<SimulationSetup> runs, int shown) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(setup.threads(), runs.size()), work -> {
            Thread thread = new Thread(work, "simulation");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<RunResult>> futures = new ArrayList<>();
            for (int i = 0; i < runs.size(); i++) {
                int number = i;
                futures.add(threads.submit(() -> simulate(number, runs.get(number), number < shown)));
            }
            List<RunResult> results = new ArrayList<>();
            for (Future<RunResult> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("simulation interrupted", e);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        } finally {
            threads.shutdownNow();
        }
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

    private static IOException unwrapped(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof IOException failure) {
            return failure;
        }
        if (cause instanceof RuntimeException failure) {
            throw failure;
        }
        if (cause instanceof Error failure) {
            throw failure;
        }
        return new IOException(cause);
    }
}
