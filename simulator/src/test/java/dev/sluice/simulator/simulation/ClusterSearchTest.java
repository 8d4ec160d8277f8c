package dev.sluice.simulator.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Twelve tasks of ten seconds, submitted at once: n cores finish them in ⌈12 ÷ n⌉ rounds, the last waits one less. */
class ClusterSearchTest {

    private static Comparison search(int range, IntUnaryOperator coresOf, String measure, double limit)
            throws IOException {
        return search(
                SimulationScenario.oneQueue().submit(0, "a", "root.default", 12, 1, 10),
                range,
                coresOf,
                measure,
                limit);
    }

    private static ExperimentSetup setup(SimulationScenario scenario, int repetitions, String... names)
            throws IOException {
        return new ExperimentSetup(
                scenario.workload(),
                WorkloadStatistics.of(scenario.workload()),
                List.of(cluster(1)),
                Stream.of(names)
                        .map(name -> new ExperimentSetup.ExperimentVariant(name, scenario.configuration()))
                        .toList(),
                repetitions,
                false,
                1,
                null,
                null,
                0,
                2);
    }

    private static Comparison search(
            SimulationScenario scenario, int range, IntUnaryOperator coresOf, String measure, double limit)
            throws IOException {
        return search(setup(scenario, 1, "one"), range, coresOf, measure, limit, ExperimentListener.NONE);
    }

    private static Comparison search(
            ExperimentSetup setup,
            int range,
            IntUnaryOperator coresOf,
            String measure,
            double limit,
            ExperimentListener listener)
            throws IOException {
        return ClusterSearch.run(
                setup,
                List.of(maximum(measure, limit)),
                range,
                size -> new ExperimentCluster(
                        "size=" + (size + 1),
                        cluster(coresOf.applyAsInt(size + 1)).nodes()),
                listener);
    }

    private static Condition maximum(String measure, double limit) {
        return new Condition(
                Measure.of(List.of()).stream()
                        .filter(any -> any.name().equals(measure))
                        .findFirst()
                        .orElseThrow(),
                Condition.Relation.AT_MOST,
                limit,
                measure + " <= " + limit);
    }

    private static ExperimentCluster cluster(int cores) {
        List<NodeEntry> nodes = SimulationScenario.oneQueue().cores(cores).nodes();
        return new ExperimentCluster("c", nodes);
    }

    @Test
    void size_inTheMiddle_isFoundByBisection() throws IOException {
        // a maximum wait of 20 s is three rounds, which need 4 cores
        Comparison comparison = search(12, size -> size, "max wait", 20);

        SmallestCluster found = comparison.enough().get(0);
        assertThat(found.smallest()).isEqualTo("size=4");
        assertThat(found.smaller()).isEqualTo("size=3");
        assertThat(found.check("size=4").measures().get(0).mean()).isEqualTo(20);
        assertThat(found.check("size=3").measures().get(0).mean()).isEqualTo(30);
        assertThat(found.exceptions()).isEmpty();
        assertThat(found.checks()).extracting(SmallestCluster.SizeCheck::nodes).contains("size=5", "size=12");
        assertThat(found.checks()).hasSizeLessThan(7);
        assertThat(comparison.runs()).extracting(RunFigures::name).startsWith("one on size=3", "one on size=4");
        assertThat(comparison.clusters()).hasSameSizeAs(comparison.runs());
    }

    @Test
    void size_smallestOfTheRange_hasNoSmaller() throws IOException {
        SmallestCluster found =
                search(3, size -> size + 11, "max wait", 0).enough().get(0);

        assertThat(found.smallest()).isEqualTo("size=1");
        assertThat(found.smaller()).isEmpty();
    }

    @Test
    void size_noneEnough_onlyTheLargestIsSimulated() throws IOException {
        SmallestCluster found = search(6, size -> size, "max wait", 5).enough().get(0);

        assertThat(found.isFound()).isFalse();
        assertThat(found.checks()).extracting(SmallestCluster.SizeCheck::nodes).containsExactly("size=6");
    }

    @Test
    void nextLarger_notEnough_isReported() throws IOException {
        // size 5 has a single core, as if another node made things worse
        SmallestCluster found = search(12, size -> size == 5 ? 1 : size, "max wait", 20)
                .enough()
                .get(0);

        assertThat(found.smallest()).isEqualTo("size=4");
        assertThat(found.exceptions()).containsExactly("size=5");
    }

    /** Waits at the first end of a simulation until simulations of another configuration end, too. */
    private static final class MeetingListener implements ExperimentListener {

        private final List<String> planned = new ArrayList<>();
        private final Set<Integer> ended = new TreeSet<>();
        private final Map<String, Boolean> met = new ConcurrentHashMap<>();
        private final CountDownLatch both = new CountDownLatch(2);

        @Override
        public synchronized void planned(int number, String name) {
            assertThat(number).isEqualTo(planned.size());
            planned.add(name);
        }

        @Override
        public void advanced(int number, Instant now, long events, long applicationsEnded) {}

        @Override
        public void ended(int number) {
            String configuration;
            synchronized (this) {
                assertThat(ended.add(number)).isTrue();
                configuration = planned.get(number).split(" ")[0];
            }
            if (met.putIfAbsent(configuration, true) == null) {
                both.countDown();
                try {
                    assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    @Test
    void configurations_several_areSearchedInParallel() throws IOException {
        MeetingListener listener = new MeetingListener();
        SimulationScenario scenario = SimulationScenario.oneQueue().submit(0, "a", "root.default", 12, 1, 10);
        Comparison comparison = search(setup(scenario, 1, "one", "two"), 12, size -> size, "max wait", 20, listener);

        assertThat(comparison.enough())
                .extracting(SmallestCluster::configuration, SmallestCluster::smallest)
                .containsExactly(tuple("one", "size=4"), tuple("two", "size=4"));
        assertThat(listener.ended).hasSameSizeAs(listener.planned).hasSameSizeAs(comparison.runs());
    }

    @Test
    void resource_ofSizes_isThatOfTheLargestCluster() throws IOException {
        // with 6 GPUs, cores are scarcer on up to 5 cores
        SimulationScenario scenario = SimulationScenario.oneQueue()
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a", "root.default", TaskSpec.of("t", 12, Resources.parse("vcore", "1", "gpu", "1"))),
                        10);
        Comparison comparison = ClusterSearch.run(
                setup(scenario, 1, "one"),
                List.of(maximum("max wait", 20)),
                12,
                size -> new ExperimentCluster(
                        "size=" + (size + 1),
                        SimulationScenario.oneQueue()
                                .node("n", Map.of("vcore", (size + 1) * 1000L, "gpu", 6L))
                                .nodes()),
                ExperimentListener.NONE);

        assertThat(comparison.clusters())
                .extracting(cluster -> cluster.scarcest().get(0))
                .contains("gpu", "vcore");
        assertThat(comparison.runs())
                .flatExtracting(RunFigures::sizes)
                .extracting("resource")
                .containsOnly("gpu");
    }

    @Test
    void workload_ofRepetitions_isDrawnOnce() throws IOException {
        AtomicInteger draws = new AtomicInteger();
        SimulationScenario scenario = SimulationScenario.oneQueue().submit(0, "a", "root.default", 12, 1, 10);
        Workload recorded = scenario.workload();
        Workload drawn = new Workload() {
            @Override
            public String name() {
                return recorded.name();
            }

            @Override
            public List<NodeEntry> nodes() {
                return recorded.nodes();
            }

            @Override
            public ArrivalStream open() throws IOException {
                return recorded.open();
            }

            @Override
            public Workload redrawn(long seed) {
                draws.incrementAndGet();
                return this;
            }
        };
        ExperimentSetup setup = setup(scenario, 3, "one");
        search(
                new ExperimentSetup(
                        drawn, setup.statistics(), setup.clusters(), setup.variants(), 3, false, 1, null, null, 0, 2),
                12,
                size -> size,
                "max wait",
                20,
                ExperimentListener.NONE);

        assertThat(draws).hasValue(2);
    }

    @Test
    void tasks_thatNeverStart_areNotEnough() throws IOException {
        // of two cores; nothing was preempted, since nothing ran
        SimulationScenario scenario = SimulationScenario.oneQueue().submit(0, "a", 3, 10);
        SmallestCluster none =
                search(scenario, 2, size -> size, "preempted", 0).enough().get(0);

        assertThat(none.isFound()).isFalse();
        assertThat(none.checks().get(0).measures()).extracting("measure").containsExactly("preempted", "never started");
    }

    @Test
    void tasks_thatNeverStartButMay_areEnough() throws IOException {
        SimulationScenario scenario = SimulationScenario.oneQueue().submit(0, "a", 3, 10);
        SmallestCluster found =
                search(scenario, 2, size -> size, "never started", 1).enough().get(0);

        assertThat(found.smallest()).isEqualTo("size=1");
    }
}
