package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.workload.SortedWorkload;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs several configurations, and the bounds to compare them with, on the same workload. */
public final class Experiment {

    /** The maximum number of samples between the first and the last submission; at least a third of it is taken. */
    private static final int SAMPLES = 2_000;

    /** The sampling intervals to choose from, in seconds. */
    private static final long[] SAMPLING_INTERVALS_SECONDS = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400
    };

    /** The earliest instant that can be simulated. */
    private static final Instant EARLIEST = Instant.parse("-9999-01-01T00:00:00Z");

    /**
     * The latest instant of a submission or an end that can be simulated, regardless of how long tasks run afterwards.
     */
    private static final Instant LATEST = Instant.parse("+99999-12-31T00:00:00Z");

    private final ExperimentSetup setup;
    private final ExperimentListener listener;
    private final Workload workload;
    private final Instant begin;
    private final Instant last;
    private final Duration sampling;
    private final String sizeResource;

    private Experiment(ExperimentSetup setup, Instant first, Instant last, ExperimentListener listener) {
        this.setup = setup;
        this.listener = listener;
        this.begin = first;
        this.last = scaled(first, last, setup.timeScale());
        this.workload = scaled(SortedWorkload.of(setup.workload(), setup.statistics()), first, setup.timeScale());
        Duration given = setup.sampling();
        this.sampling = given == null ? defaultSamplingInterval(Duration.between(begin, this.last)) : given;
        this.sizeResource = scarcest(setup.statistics().work(), capacity(setup.nodes()));
    }

    /**
     * Runs all configurations and bounds.
     *
     * @throws IllegalArgumentException if the workload has no applications
     * @throws SimulationException if the engine rejects a configuration or a node, or times are out of range
     * @throws IOException if the workload cannot be read
     */
    public static Comparison run(ExperimentSetup setup, ExperimentListener listener) throws IOException {
        Instant first = setup.statistics().first();
        Instant last = setup.statistics().last();
        if (first == null || last == null) {
            throw new IllegalArgumentException(
                    "no applications in " + setup.workload().name());
        }
        check("the first submission", first);
        check("the last submission", last);
        check("the last submission", scaled(first, last, setup.timeScale()));
        if (setup.until() != null) {
            check("the end", setup.until());
        }
        return new Experiment(setup, first, last, listener).run();
    }

    private static void check(String what, Instant time) {
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw new SimulationException(what + " is at " + time + ", outside " + EARLIEST + " to " + LATEST);
        }
    }

    private Comparison run() throws IOException {
        List<SimulationSetup> runs = new ArrayList<>();
        for (ExperimentSetup.ExperimentVariant variant : setup.variants()) {
            runs.add(run(
                    variant.name(),
                    RunFigures.RunKind.CONFIGURATION,
                    variant.partitions(),
                    setup.nodes(),
                    1,
                    workload));
        }
        if (setup.bounds()) {
            addBounds(runs);
        }
        for (int i = 0; i < runs.size(); i++) {
            listener.planned(i, runs.get(i).name());
        }
        return new Comparison(workloadFigures(), simulate(runs));
    }

    private void addBounds(List<SimulationSetup> runs) {
        List<PartitionConfiguration> oneQueue =
                Bounds.oneQueue(setup.variants().get(0).partitions());
        runs.add(bound(RunFigures.RunKind.SHORTEST_FIRST, oneQueue, setup.nodes(), 1, Bounds.shortestFirst(workload)));
        long scale = Bounds.scaleOf(setup.nodes());
        runs.add(bound(
                RunFigures.RunKind.INFINITE_NODES,
                oneQueue,
                Bounds.scaled(setup.nodes(), scale),
                scale,
                Bounds.withoutPriorities(workload)));
        runs.add(bound(
                RunFigures.RunKind.RANDOM_ORDER,
                oneQueue,
                setup.nodes(),
                1,
                Bounds.randomOrder(workload, setup.seed())));
    }

    private SimulationSetup bound(
            RunFigures.RunKind kind,
            List<PartitionConfiguration> partitions,
            List<NodeEntry> nodes,
            long capacityScale,
            Workload work) {
        return run(kind.wireName(), kind, partitions, nodes, capacityScale, work);
    }

    private SimulationSetup run(
            String name,
            RunFigures.RunKind kind,
            List<PartitionConfiguration> partitions,
            List<NodeEntry> nodes,
            long capacityScale,
            Workload work) {
        return new SimulationSetup(
                name,
                kind,
                partitions,
                nodes,
                capacityScale,
                work,
                begin,
                setup.until(),
                sampling,
                sizeResource,
                setup.seed());
    }

    /** Simulates the runs in parallel; the result of a run does not depend on the others. */
    private List<RunFigures> simulate(List<SimulationSetup> runs) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(setup.threads(), runs.size()), work -> {
            Thread thread = new Thread(work, "simulation");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<RunFigures>> futures = new ArrayList<>();
            for (int i = 0; i < runs.size(); i++) {
                int number = i;
                futures.add(threads.submit(() -> simulate(number, runs.get(number))));
            }
            List<RunFigures> figures = new ArrayList<>();
            for (Future<RunFigures> future : futures) {
                figures.add(future.get());
            }
            return figures;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("simulation interrupted", e);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private RunFigures simulate(int number, SimulationSetup run) throws IOException {
        RunFigures figures = Simulation.run(
                run, (now, events, applicationsEnded) -> listener.advanced(number, now, events, applicationsEnded));
        listener.ended(number);
        return figures;
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

    private static Instant scaled(Instant first, Instant submitted, double timeScale) {
        return timeScale == 1
                ? submitted
                : first.plusMillis(Math.round(Duration.between(first, submitted).toMillis() * timeScale));
    }

    private static Workload scaled(Workload workload, Instant first, double timeScale) {
        return timeScale == 1
                ? workload
                : new TransformedWorkload(
                        workload, () -> arrival -> arrival.at(scaled(first, arrival.submitted(), timeScale)));
    }

    private static Duration defaultSamplingInterval(Duration span) {
        long minimum = span.toSeconds() / SAMPLES;
        for (long seconds : SAMPLING_INTERVALS_SECONDS) {
            if (seconds >= minimum) {
                return Duration.ofSeconds(seconds);
            }
        }
        return Duration.ofSeconds(minimum);
    }

    /** Returns the resource with the highest demand relative to its capacity. */
    private static String scarcest(Map<String, Double> work, Map<String, Long> capacity) {
        String scarcest = ResourceTypes.VCORE;
        double most = 0;
        for (Map.Entry<String, Double> type : work.entrySet()) {
            long available = capacity.getOrDefault(type.getKey(), 0L);
            if (available > 0 && type.getValue() / available > most) {
                most = type.getValue() / available;
                scarcest = type.getKey();
            }
        }
        return scarcest;
    }

    private static SortedMap<String, Long> capacity(List<NodeEntry> nodes) {
        SortedMap<String, Long> capacity = new TreeMap<>();
        for (NodeEntry node : nodes) {
            node.capacity()
                    .amounts()
                    .forEach((type, amount) -> capacity.merge(type, amount.value() * node.size(), Long::sum));
        }
        return capacity;
    }

    private WorkloadFigures workloadFigures() {
        WorkloadStatistics statistics = setup.statistics();
        return new WorkloadFigures(
                workload.name(),
                statistics.applications(),
                statistics.tasks(),
                statistics.users(),
                begin,
                last,
                statistics.work(),
                setup.nodes().stream().mapToInt(NodeEntry::size).sum(),
                capacity(setup.nodes()),
                setup.timeScale(),
                statistics.malformed());
    }
}
