package dev.sluice.simulator.simulation;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import dev.sluice.simulator.figures.WorkloadFigures;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.workload.SortedWorkload;
import dev.sluice.simulator.workload.TransformedWorkload;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The simulations of one repetition of an experiment: each configuration on each cluster, and the bounds. */
final class ExperimentRuns {

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
    private final WorkloadStatistics statistics;
    private final String sizeResource;
    private final long seed;
    private final Workload workload;
    private final Instant begin;
    private final Instant last;
    private final Duration sampling;

    /**
     * @param repetition the workload of this repetition
     * @param sizeResource the resource that defines task sizes
     * @throws IllegalArgumentException if the workload has no applications
     * @throws SimulationException if times are out of range
     */
    ExperimentRuns(ExperimentSetup setup, ExperimentWorkload.Repetition repetition, String sizeResource) {
        this.statistics = repetition.statistics();
        Instant first = statistics.first();
        Instant end = statistics.last();
        if (first == null || end == null) {
            throw new IllegalArgumentException(
                    "no applications in " + repetition.workload().name());
        }
        check("the first submission", first);
        check("the last submission", end);
        this.setup = setup;
        this.sizeResource = sizeResource;
        this.seed = repetition.seed();
        this.begin = first;
        this.last = scaled(first, end, setup.timeScale());
        check("the last submission", last);
        if (setup.until() != null) {
            check("the end", setup.until());
        }
        this.workload = scaled(SortedWorkload.of(repetition.workload(), statistics), first, setup.timeScale());
        Duration given = setup.sampling();
        this.sampling = given == null ? defaultSamplingInterval(Duration.between(begin, last)) : given;
    }

    private static void check(String what, Instant time) {
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw new SimulationException(what + " is at " + time + ", outside " + EARLIEST + " to " + LATEST);
        }
    }

    /** Returns the simulations: those of a cluster are adjacent, the bounds come last. */
    List<SimulationSetup> all() {
        List<SimulationSetup> runs = new ArrayList<>();
        for (ExperimentCluster cluster : setup.clusters()) {
            for (ExperimentSetup.ExperimentVariant variant : setup.variants()) {
                runs.add(run(
                        variant.name(), RunFigures.RunKind.CONFIGURATION, variant.partitions(), cluster, 1, workload));
            }
        }
        if (setup.bounds()) {
            addBounds(runs, setup.clusters().get(0));
        }
        return runs;
    }

    private void addBounds(List<SimulationSetup> runs, ExperimentCluster cluster) {
        long scale = Bounds.scaleOf(cluster.nodes());
        ExperimentCluster endless = new ExperimentCluster(cluster.name(), Bounds.scaled(cluster.nodes(), scale));
        runs.add(bound(RunFigures.RunKind.SHORTEST_FIRST, cluster, 1, Bounds.shortestFirst(workload)));
        runs.add(bound(RunFigures.RunKind.INFINITE_NODES, endless, scale, Bounds.withoutPriorities(workload)));
        runs.add(bound(RunFigures.RunKind.RANDOM_ORDER, cluster, 1, Bounds.randomOrder(workload, seed)));
    }

    private SimulationSetup bound(
            RunFigures.RunKind kind, ExperimentCluster cluster, long capacityScale, Workload work) {
        List<PartitionConfiguration> oneQueue =
                Bounds.oneQueue(setup.variants().get(0).partitions());
        return run(kind.wireName(), kind, oneQueue, cluster, capacityScale, work);
    }

    private SimulationSetup run(
            String name,
            RunFigures.RunKind kind,
            List<PartitionConfiguration> partitions,
            ExperimentCluster cluster,
            long capacityScale,
            Workload work) {
        return new SimulationSetup(
                new RunVariant(name, cluster.name()),
                kind,
                partitions,
                cluster.nodes(),
                capacityScale,
                work,
                begin,
                setup.until(),
                sampling,
                sizeResource,
                seed);
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

    /** Returns the figures of all clusters. */
    List<ClusterFigures> clusters() {
        return setup.clusters().stream()
                .map(cluster -> cluster.figures(statistics.work()))
                .toList();
    }

    /** Returns the figures of the workload. */
    WorkloadFigures workload() {
        return new WorkloadFigures(
                workload.name(),
                statistics.applications(),
                statistics.tasks(),
                statistics.users(),
                begin,
                last,
                statistics.work(),
                setup.timeScale(),
                statistics.malformed());
    }
}
