package dev.sluice.simulator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.util.List;
import java.util.function.IntUnaryOperator;
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

    private static Comparison search(
            SimulationScenario scenario, int range, IntUnaryOperator coresOf, String measure, double limit)
            throws IOException {
        ExperimentSetup setup = new ExperimentSetup(
                scenario.workload(),
                WorkloadStatistics.of(scenario.workload()),
                List.of(cluster(1)),
                List.of(new ExperimentSetup.ExperimentVariant("one", scenario.configuration())),
                1,
                false,
                1,
                null,
                null,
                0,
                2);
        Condition condition = new Condition(
                Measure.of(List.of()).stream()
                        .filter(any -> any.name().equals(measure))
                        .findFirst()
                        .orElseThrow(),
                Condition.Relation.AT_MOST,
                limit,
                measure + " <= " + limit);
        return ClusterSearch.run(
                setup,
                List.of(condition),
                range,
                size -> new ExperimentCluster(
                        "size=" + (size + 1),
                        cluster(coresOf.applyAsInt(size + 1)).nodes()),
                ExperimentListener.NONE);
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
