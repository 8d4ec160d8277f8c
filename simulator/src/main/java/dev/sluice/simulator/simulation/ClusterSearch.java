package dev.sluice.simulator.simulation;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.figures.SmallestCluster.SizeCheck;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentVariant;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;

/**
 * Searches for the smallest of several clusters on which a workload meets some conditions, for each configuration.
 *
 * <p>It bisects: the largest cluster first, then the middle of what is left, until a cluster is enough and the next
 * smaller one is not. That is the smallest if more nodes are never worse, which scheduling does not guarantee
 * (Graham, "Bounds on multiprocessing timing anomalies", 1969). So the next larger cluster is simulated as well; other
 * sizes are not. Configurations are searched in parallel.
 *
 * <p>A cluster on which tasks never start, or applications are rejected, is not enough, unless a condition allows it.
 */
public final class ClusterSearch {

    private static final List<String> FAILURES = List.of("never started", "rejected");

    private final ExperimentSetup setup;
    private final List<Condition> conditions;
    private final List<Condition> implied;
    private final int range;
    private final IntFunction<ExperimentCluster> clusters;
    private final ExperimentListener listener;
    private final ExperimentWorkload workload;
    private int planned; // the number of simulations so far

    private ClusterSearch(
            ExperimentSetup setup,
            List<Condition> conditions,
            int range,
            IntFunction<ExperimentCluster> clusters,
            ExperimentListener listener)
            throws IOException {
        this.setup = setup;
        this.workload = ExperimentWorkload.of(
                setup.with(List.of(clusters.apply(range - 1)), setup.variants(), setup.threads()));
        this.conditions = List.copyOf(conditions);
        this.implied = Measure.of(List.of()).stream()
                .filter(measure -> FAILURES.contains(measure.name())
                        && conditions.stream()
                                .noneMatch(given -> given.measure().name().equals(measure.name())))
                .map(Condition::none)
                .toList();
        this.range = range;
        this.clusters = clusters;
        this.listener = listener;
    }

    /** The simulated sizes of one configuration. */
    private final class Bisection {
        private final ExperimentVariant variant;
        private final SortedMap<Integer, Comparison> simulated = new TreeMap<>();

        /** The number of repetitions that are simulated at the same time. */
        private final int threads;

        private Bisection(ExperimentVariant variant, int threads) {
            this.variant = variant;
            this.threads = threads;
        }

        private boolean isEnough(int size) throws IOException {
            Comparison known = simulated.get(size);
            if (known == null) {
                known = Experiment.run(
                        setup.with(List.of(clusters.apply(size)), List.of(variant), threads),
                        workload,
                        new NumberedListener());
                simulated.put(size, known);
            }
            return ClusterSearch.this.isEnough(run(known));
        }

        /** Returns the smallest size found; -1 if the largest is not enough. */
        private int smallest() throws IOException {
            int enough = range - 1;
            if (!isEnough(enough)) {
                return -1;
            }
            int tooSmall = -1;
            while (enough - tooSmall > 1) {
                int middle = (enough + tooSmall) >>> 1;
                if (isEnough(middle)) {
                    enough = middle;
                } else {
                    tooSmall = middle;
                }
            }
            if (enough + 1 < range) {
                isEnough(enough + 1);
            }
            return enough;
        }

        private SmallestCluster result() throws IOException {
            int smallest = smallest();
            return new SmallestCluster(
                    variant.name(),
                    conditions.stream().map(Condition::text).toList(),
                    smallest < 0 ? "" : clusters.apply(smallest).name(),
                    smallest <= 0 ? "" : clusters.apply(smallest - 1).name(),
                    range,
                    simulated.values().stream().map(known -> check(run(known))).toList());
        }
    }

    /**
     * Runs the search.
     *
     * @param setup the experiment; its clusters are ignored, and it has no bounds
     * @param conditions at least one
     * @param range the number of clusters, at least 1
     * @param clusters the clusters by index, the smallest first
     * @return the comparison of all simulated sizes, by configuration, then size
     * @throws IOException if the workload cannot be read
     */
    public static Comparison run(
            ExperimentSetup setup,
            List<Condition> conditions,
            int range,
            IntFunction<ExperimentCluster> clusters,
            ExperimentListener listener)
            throws IOException {
        return new ClusterSearch(setup, conditions, range, clusters, listener).run();
    }

    private Comparison run() throws IOException {
        int parallel = Math.min(setup.threads(), setup.variants().size());
        List<Bisection> bisections = setup.variants().stream()
                .map(variant -> new Bisection(variant, setup.threads() / parallel))
                .toList();
        List<SmallestCluster> results = SimulationThreads.all(
                parallel,
                bisections.stream()
                        .<Callable<SmallestCluster>>map(each -> each::result)
                        .toList());
        List<RunFigures> runs = new ArrayList<>();
        SortedMap<Integer, Comparison> sizes = new TreeMap<>();
        for (Bisection bisection : bisections) {
            bisection.simulated.values().forEach(known -> runs.add(run(known)));
            sizes.putAll(bisection.simulated);
        }
        return new Comparison(
                sizes.values().iterator().next().workload(),
                runs,
                sizes.values().stream().map(known -> known.clusters().get(0)).toList(),
                setup.repetitions(),
                results);
    }

    /** Numbers the simulations of a size after those that are known. */
    private final class NumberedListener implements ExperimentListener {

        private final List<Integer> numbers = new ArrayList<>();

        @Override
        public void planned(int number, String name) {
            synchronized (ClusterSearch.this) {
                numbers.add(planned);
                listener.planned(planned++, name);
            }
        }

        @Override
        public void advanced(int number, Instant now, long events, long applicationsEnded) {
            listener.advanced(numbers.get(number), now, events, applicationsEnded);
        }

        @Override
        public void ended(int number) {
            listener.ended(numbers.get(number));
        }
    }

    private static RunFigures run(Comparison single) {
        return single.runs().get(0);
    }

    private boolean isEnough(RunFigures run) {
        return conditions.stream().allMatch(condition -> condition.holds(run))
                && implied.stream().allMatch(condition -> condition.holds(run));
    }

    /** Returns the measures of the conditions, and those of failures that occurred. */
    private SizeCheck check(RunFigures run) {
        List<MeasureSpread> measures = new ArrayList<>();
        conditions.forEach(condition -> measures.add(condition.measure().spread(run)));
        for (Condition condition : implied) {
            if (!condition.holds(run)) {
                measures.add(condition.measure().spread(run));
            }
        }
        return new SizeCheck(run.variant().nodes(), isEnough(run), measures);
    }
}
