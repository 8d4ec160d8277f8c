package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clusters have the properties described by the rows, whatever their speed. */
final class ClustersTest {

    @ParameterizedTest
    @EnumSource
    void cluster_underEachSharePolicy_isFilledByOneCycle(SharePolicyKind share) {
        for (ApplicationSortPolicy sort : ApplicationSortPolicy.values()) {
            BenchmarkCluster cluster = new BenchmarkCluster(NodeSortPolicy.BIN_PACKING, share, sort);
            cluster.addNodes(100);
            cluster.submit("app-", 10, 1);

            cluster.cycle(10_000);

            assertThat(cluster.placements()).as(sort.wireName()).isEqualTo(10_000);
        }
    }

    @Test
    void cycle_withUnexpectedPlacements_isAnError() {
        BenchmarkCluster cluster = new BenchmarkCluster(1, NodeSortPolicy.FAIR, ApplicationSortPolicy.FIFO);
        cluster.submit("app-", 1, 1);

        assertThatThrownBy(() -> cluster.cycle(101)).hasMessageContaining("expected 101 placements but found 100");
    }

    @Test
    void busyCluster_tasksEndedAndAdded_areReplaced() {
        BusyCluster cluster = new BusyCluster(1000, 10, 9000, 0);

        for (int round = 0; round < 2; round++) {
            cluster.end(4000);
            cluster.add(4000);
            cluster.started(cluster.cycle(4000));
        }

        assertThat(cluster.cycle(0)).isEmpty();
    }

    @Test
    void busyCluster_withBacklog_replacesEachEndedTask() {
        BusyCluster cluster = new BusyCluster(100, 1, 10_000, 2000);

        cluster.handle(cluster.endRandomTask());

        assertThat(cluster.cycle(1)).isNotEmpty();
    }

    @Test
    @Tag("slow")
    void manyClassesCluster_onlyLastTask_fits() {
        ManyClassesCluster cluster = new ManyClassesCluster(2000);

        for (int i = 1; i < ManyClassesCluster.SMALL; i++) {
            cluster.endSmall();
        }
        cluster.cycle(); // would throw if it placed a task

        assertThatThrownBy(cluster::endSmall).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void gangsCluster_afterEnds_startsNoGang() {
        GangsCluster cluster = new GangsCluster(8, 3);

        for (int i = 0; i < 10; i++) {
            cluster.endOne();
            cluster.cycle(); // would throw if it placed a task
        }

        assertThat(new GangsRow(0, 2, 8, 2).measure())
                .extracting(Line::what)
                .containsExactly(
                        "cycle without changes",
                        "slowest cycle without changes",
                        "cycle after the end of a task",
                        "slowest cycle after the end of a task");
    }

    @Test
    @Tag("slow")
    void constraintsRow_smallRun_comparesPlainTasksBesideConstrainedOnes() {
        assertThat(new ConstraintsRow(0, 1).measure())
                .extracting(Line::what)
                .endsWith("no constraints, beside constrained tasks vs. without constraints");
    }

    @Test
    void gangReservationsRow_smallRun_measuresItsLabels() {
        assertThat(new GangReservationsRow(0, 20, 20, 5).measure())
                .extracting(Line::what)
                .containsExactly(
                        "first cycle", "cycle after the end of a task", "slowest cycle after the end of a task");
    }

    @Test
    @Tag("slow")
    void rows_smallRun_measureTheirLabels() {
        Row placements = new PlacementRow(
                0,
                1,
                1000,
                Bound.atLeast(1, 2),
                List.of(new PlacementRow.Size(10, null), new PlacementRow.Size(20, Bound.atLeast(0, 0))));

        assertThat(placements.measure())
                .extracting(Line::what)
                .containsExactly("10 nodes", "20 nodes", "20 nodes vs. 10 nodes");
        assertThat(new ChurnRow(0, 1, List.of(1000)).measure()).hasSize(1);
        assertThat(new HeapRow(1, 1000, Bound.below(2, 1)).measure())
                .extracting(Line::verdict)
                .startsWith(Verdict.MISSED);
    }
}
