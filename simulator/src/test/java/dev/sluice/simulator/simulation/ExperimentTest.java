package dev.sluice.simulator.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.figures.ClusterFigures;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.SizeFigures;
import dev.sluice.simulator.report.ComparisonJson;
import dev.sluice.simulator.report.HtmlReport;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import dev.sluice.simulator.workload.synthetic.SyntheticWorkload;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several configurations side by side, and the bounds. */
class ExperimentTest {

    private static ExperimentSetup setup(
            SimulationScenario scenario, double timeScale, @Nullable Instant until, long seed, int threads)
            throws IOException {
        return new ExperimentSetup(
                scenario.workload(),
                WorkloadStatistics.of(scenario.workload()),
                List.of(new ExperimentCluster("", scenario.nodes())),
                List.of(
                        new ExperimentSetup.ExperimentVariant("as-it-is", scenario.configuration()),
                        new ExperimentSetup.ExperimentVariant("again", scenario.configuration())),
                1,
                true,
                timeScale,
                until,
                null,
                seed,
                threads);
    }

    private static Comparison experiment(SimulationScenario scenario) throws IOException {
        return Experiment.run(setup(scenario, 1, null, 1, 2), ExperimentListener.NONE);
    }

    private static RunFigures run(Comparison comparison, RunFigures.RunKind kind) {
        return comparison.runs().stream()
                .filter(run -> run.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 6, 7, 10, 11})
    void simulation_repeated_isTheSame(int seed) throws IOException {
        SimulationSetup setup = ConservationTest.random(seed).setup();

        assertThat(Simulation.run(setup, SimulationListener.NONE))
                .isEqualTo(Simulation.run(setup, SimulationListener.NONE));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void experiment_oneOrTwoThreads_givesIdenticalJson(int seed) throws IOException {
        SimulationScenario scenario = ConservationTest.random(seed);
        Comparison alone = Experiment.run(setup(scenario, 1, null, 5, 1), ExperimentListener.NONE);
        Comparison together = Experiment.run(setup(scenario, 1, null, 5, 2), ExperimentListener.NONE);

        assertThat(together).isEqualTo(alone);
        assertThat(json(together)).isEqualTo(json(alone)).isNotEmpty();
        assertThat(page(together)).isEqualTo(page(alone)).isNotEmpty();
    }

    private static String json(Comparison comparison) throws IOException {
        StringWriter text = new StringWriter();
        ComparisonJson.write(comparison, text);
        return text.toString();
    }

    private static String page(Comparison comparison) throws IOException {
        StringWriter text = new StringWriter();
        HtmlReport.write(comparison, text);
        return text.toString();
    }

    @Test
    void experiment_severalConfigurations_boundsFollowInOrder() throws IOException {
        List<String> told = new ArrayList<>();
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1).submit(0, "a", 1, 10);
        ExperimentListener listener = new ExperimentListener() {
            @Override
            public void planned(int number, String name) {
                told.add("planned " + number + " " + name);
            }

            @Override
            public void advanced(int number, Instant now, long events, long applicationsEnded) {}

            @Override
            public void ended(int number) {
                told.add("ended " + number);
            }
        };
        Comparison comparison = Experiment.run(setup(scenario, 1, null, 1, 1), listener);

        assertThat(comparison.runs())
                .extracting(RunFigures::name)
                .containsExactly("as-it-is", "again", "shortest-first", "infinite-nodes", "random-order");
        assertThat(told)
                .containsExactly(
                        "planned 0 as-it-is",
                        "planned 1 again",
                        "planned 2 shortest-first",
                        "planned 3 infinite-nodes",
                        "planned 4 random-order",
                        "ended 0",
                        "ended 1",
                        "ended 2",
                        "ended 3",
                        "ended 4");
    }

    private static final String SYNTHETIC = """
            nodes: [{name: n, count: 1, capacity: {vcore: 2}}]
            synthetic:
              for: 1h
              arrivals: {every: 60s}
              users: [{name: u, count: 2}]
              kinds: [{name: k, duration: {exponential: {mean: 2m}}}]
            """;

    private static Comparison repeated(Workload workload, int repetitions, long seed, List<ExperimentCluster> clusters)
            throws IOException {
        return Experiment.run(
                new ExperimentSetup(
                        workload,
                        WorkloadStatistics.of(workload),
                        clusters,
                        List.of(new ExperimentSetup.ExperimentVariant(
                                "one", SimulationScenario.oneQueue().configuration())),
                        repetitions,
                        false,
                        1,
                        null,
                        null,
                        seed,
                        2),
                ExperimentListener.NONE);
    }

    @Test
    void repetitions_ofSyntheticWorkload_differAndAreReproducible() throws IOException {
        Workload workload = SyntheticWorkload.read("w.yaml", SYNTHETIC).value();
        List<ExperimentCluster> clusters = List.of(new ExperimentCluster("", workload.nodes()));
        RunFigures once = repeated(workload, 1, 7, clusters).runs().get(0);
        RunFigures run = repeated(workload, 4, 7, clusters).runs().get(0);

        Map<String, MeasureSpread> spread =
                run.spread().stream().collect(Collectors.toMap(MeasureSpread::measure, each -> each));
        MeasureSpread wait = Objects.requireNonNull(spread.get("mean wait"));
        assertThat(run.withSpread(List.of())).isEqualTo(once);
        assertThat(wait.min()).isLessThan(wait.max());
        assertThat(once.total().waiting().mean()).isBetween(wait.min(), wait.max());
        assertThat(repeated(workload, 4, 7, clusters).runs()).containsExactly(run);
        assertThat(repeated(workload, 4, 8, clusters).runs()).doesNotContain(run);
    }

    @Test
    void repetitions_ofRecordedWorkload_areEqual() throws IOException {
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1).submit(0, "a", 1, 10);
        Comparison comparison =
                repeated(scenario.workload(), 3, 0, List.of(new ExperimentCluster("", scenario.nodes())));

        assertThat(comparison.repetitions()).isEqualTo(3);
        assertThat(comparison.runs().get(0).spread())
                .isNotEmpty()
                .allMatch(spread -> Double.isNaN(spread.mean()) || spread.min() == spread.max());
    }

    @Test
    void clusters_several_areSimulatedWithEachConfiguration() throws IOException {
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1).submit(0, "a", "root.default", 2, 1, 10);
        Comparison comparison = repeated(
                scenario.workload(),
                1,
                0,
                List.of(
                        new ExperimentCluster("small", scenario.nodes()),
                        new ExperimentCluster(
                                "large",
                                SimulationScenario.oneQueue().cores(1, 1).nodes())));

        assertThat(comparison.runs()).extracting(RunFigures::name).containsExactly("one on small", "one on large");
        assertThat(comparison.runs())
                .extracting(run -> run.total().waiting().max())
                .containsExactly(10.0, 0.0);
        assertThat(comparison.clusters()).extracting(ClusterFigures::nodes).containsExactly(1, 2);
    }

    @Test
    void clusters_withDifferentScarcities_classifySizesByOneResource() throws IOException {
        SimulationScenario scenario = SimulationScenario.oneQueue()
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a", "root.default", TaskSpec.single("t", Resources.parse("vcore", "1", "gpu", "1"))),
                        10);
        Comparison comparison = repeated(
                scenario.workload(),
                1,
                0,
                List.of(
                        new ExperimentCluster(
                                "few-gpus",
                                SimulationScenario.oneQueue()
                                        .node("n", Map.of("vcore", 8_000L, "gpu", 1L))
                                        .nodes()),
                        new ExperimentCluster(
                                "few-cores",
                                SimulationScenario.oneQueue()
                                        .node("n", Map.of("vcore", 1_000L, "gpu", 8L))
                                        .nodes())));

        assertThat(comparison.clusters())
                .extracting(cluster -> cluster.scarcest().get(0))
                .containsExactly("gpu", "vcore");
        assertThat(comparison.runs())
                .flatExtracting(RunFigures::sizes)
                .extracting("resource")
                .containsOnly("gpu");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shortestFirst_onOneNode_minimizesMeanWaiting(long seed) throws IOException {
        // durations within 5 % are equal for the oracle: these are equal, or far apart
        int[] durations = {1, 2, 3, 5, 8, 13, 21, 34, 55};
        SplittableRandom random = new SplittableRandom(seed);
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1);
        int[] drawn = new int[6];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = durations[random.nextInt(durations.length)];
            scenario.submit(0, "a" + i, 1, drawn[i]);
        }
        Comparison comparison = experiment(scenario);
        double best = best(drawn, 0);

        assertThat(run(comparison, RunFigures.RunKind.SHORTEST_FIRST)
                        .total()
                        .waiting()
                        .mean())
                .isEqualTo(best / drawn.length, within(1e-9));
        for (RunFigures other : comparison.runs()) {
            if (other.kind() != RunFigures.RunKind.INFINITE_NODES) {
                assertThat(other.total().waiting().mean()).isGreaterThanOrEqualTo(best / drawn.length - 1e-9);
            }
        }
    }

    /** Returns the minimum sum of waiting times over all permutations from this position on. */
    private static double best(int[] order, int from) {
        if (from == order.length) {
            double now = 0;
            double waited = 0;
            for (int duration : order) {
                waited += now;
                now += duration;
            }
            return waited;
        }
        double best = Double.MAX_VALUE;
        for (int i = from; i < order.length; i++) {
            int[] swapped = order.clone();
            swapped[from] = order[i];
            swapped[i] = order[from];
            best = Math.min(best, best(swapped, from + 1));
        }
        return best;
    }

    @Test
    void infiniteNodes_nothingWaits() throws IOException {
        // the last end: 7 + 100
        SimulationScenario scenario = SimulationScenario.queues(
                        "queues: [{name: root, queues: [{name: default, resources: {max: {vcore: 1}}}]}]")
                .cores(2)
                .submit(0, "a", "root.default", 50, 2, 60)
                .submit(7, "b", "root.default", 50, 1, 100)
                .submit(9, "c", 1, 5);
        Comparison comparison = experiment(scenario);
        RunFigures infinite = run(comparison, RunFigures.RunKind.INFINITE_NODES);

        assertThat(infinite.total().waiting().max()).isZero();
        assertThat(infinite.total().slowdown().max()).isEqualTo(1);
        assertThat(infinite.overall().makespanSeconds()).isEqualTo(107);
        assertThat(infinite.resources().get(0).capacity()).isEqualTo(2_000);
        // (50 × 2 × 60 + 50 × 100 + 5) ÷ (2 × 107): demand relative to the real nodes
        assertThat(infinite.resources().get(0).utilisation()).isEqualTo(11_005 / 214.0, within(1e-9));
    }

    @Test
    void randomOrder_dependsOnSeedOnly() throws IOException {
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1);
        IntStream.range(0, 30).forEach(i -> scenario.submit(0, "a" + i, 1, i + 1));
        double[] means = new double[6];
        for (int seed = 0; seed < means.length; seed++) {
            RunFigures first = run(
                    Experiment.run(setup(scenario, 1, null, seed, 1), ExperimentListener.NONE),
                    RunFigures.RunKind.RANDOM_ORDER);
            RunFigures second = run(
                    Experiment.run(setup(scenario, 1, null, seed, 1), ExperimentListener.NONE),
                    RunFigures.RunKind.RANDOM_ORDER);
            assertThat(second).isEqualTo(first);
            means[seed] = first.total().waiting().mean();
        }

        assertThat(Arrays.stream(means).distinct().count()).isGreaterThan(1);
    }

    @Test
    void bounds_ignoreQueuesAndPriorities() throws IOException {
        // for an unknown queue, which all configurations reject: the bounds have a single queue
        SimulationScenario scenario = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", "root.none", 1, 10)
                .submit(0, "b", "root.default", 1, 10);
        Comparison comparison = experiment(scenario);

        assertThat(comparison.runs().get(0).total().rejected()).isOne();
        assertThat(run(comparison, RunFigures.RunKind.SHORTEST_FIRST).total().succeeded())
                .isEqualTo(2);
        assertThat(run(comparison, RunFigures.RunKind.INFINITE_NODES).queues())
                .extracting(queue -> queue.path())
                .containsExactly("root", "root.default");
    }

    @Test
    void bounds_keepStartTimes() throws IOException {
        ApplicationSpec late = ApplicationSpec.sealed("late", null, TaskSpec.single("t", Resources.NONE))
                .withStart(StartConditions.NONE.withNotBefore(SimulationScenario.BEGIN.plusSeconds(100)));
        Comparison comparison =
                experiment(SimulationScenario.oneQueue().cores(1).submit(0, late, 10));

        assertThat(comparison.runs())
                .allSatisfy(run -> assertThat(run.overall().makespanSeconds()).isEqualTo(110));
    }

    @Test
    void timeScale_scalesInterarrivalTimes() throws IOException {
        SimulationScenario scenario =
                SimulationScenario.oneQueue().cores(1).submit(0, "a", 1, 10).submit(100, "b", 1, 10);
        Comparison comparison = Experiment.run(setup(scenario, 2.5, null, 1, 1), ExperimentListener.NONE);

        assertThat(comparison.runs().get(0).overall().makespanSeconds()).isEqualTo(260);
        assertThat(comparison.workload().last()).isEqualTo(SimulationScenario.BEGIN.plusSeconds(250));
        assertThat(comparison.workload().timeScale()).isEqualTo(2.5);
    }

    @Test
    void workload_outOfOrder_isSorted() throws IOException {
        SimulationScenario scenario =
                SimulationScenario.oneQueue().cores(1).submit(50, "late", 1, 10).submit(0, "early", 1, 60);
        RunFigures run = experiment(scenario).runs().get(0);

        assertThat(run.begin()).isEqualTo(SimulationScenario.BEGIN);
        assertThat(run.total().waiting().max()).isEqualTo(10);
    }

    @Test
    void sizes_useScarcestResource() throws IOException {
        // 10 of 100 cores, 8 of 10 GiB
        SimulationScenario scenario = SimulationScenario.oneQueue()
                .node("n", Map.of("vcore", 100_000L, "memory", 10L << 30))
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                "root.default",
                                TaskSpec.single(
                                        "t", SimulationScenario.amounts(Map.of("vcore", 10_000L, "memory", 8L << 30)))),
                        10);

        assertThat(experiment(scenario).runs().get(0).sizes())
                .extracting(SizeFigures::resource)
                .containsExactly("memory");
    }

    @Test
    void samples_overSubmissionPeriod_areAFewThousand() throws IOException {
        // ten days ÷ 2,000 are 432 s: samples every ten minutes, 1,441 of them, four per point
        SimulationScenario scenario = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 10)
                .submit((double) Duration.ofDays(10).toSeconds(), "b", 1, 10);

        assertThat(experiment(scenario).runs().get(0).time().running().axis().stepSeconds())
                .isEqualTo(4 * 600);
    }

    @Test
    void workload_empty_isRejected() {
        assertThatThrownBy(() -> experiment(SimulationScenario.oneQueue().cores(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void times_outOfRange_areRejected() {
        SimulationScenario scenario =
                SimulationScenario.oneQueue().cores(1).submit(0, "a", 1, 10).submit(4e9, "b", 1, 10);

        assertThatThrownBy(() -> Experiment.run(setup(scenario, 1e300, null, 1, 1), ExperimentListener.NONE))
                .isInstanceOf(SimulationException.class)
                .hasMessageContaining("the last submission is at ");
        assertThatThrownBy(() -> Experiment.run(setup(scenario, 1, Instant.MAX, 1, 1), ExperimentListener.NONE))
                .isInstanceOf(SimulationException.class)
                .hasMessageContaining("the end is at ");
    }

    @Test
    void node_rejectedByEngine_endsExperimentWithReason() {
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1).submit(0, "a", 1, 10);
        scenario.node(scenario.nodes().get(0));

        assertThatThrownBy(() -> experiment(scenario)).isInstanceOf(SimulationException.class);
    }
}
