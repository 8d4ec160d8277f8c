package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Empty clusters of several sizes, each filled by one cycle.
 *
 * @param placements how many tasks the cycle places, so many thousands
 * @param speed what is asked of the first size in placements for a second, or null
 * @param sizes the sizes; the others are compared with the first
 */
record PlacementRow(
        int warmup, int rounds, int placements, @Nullable Bound speed, List<Size> sizes) implements Row {

    /**
     * A cluster.
     *
     * @param nodes how many nodes it has
     * @param relative what is asked of its speed relative to the first, or null
     */
    record Size(int nodes, @Nullable Bound relative) {}

    @Override
    public String name() {
        return "placements";
    }

    @Override
    public String title() {
        return "An empty cluster is filled";
    }

    @Override
    public String about() {
        return "Tasks of 1 core and 1 GiB on empty, equal nodes of 100 cores, bin packing, all queues fair and fifo: a cycle that has put the nodes in order comes first, then one places "
                + Figures.format(placements) + " of them, as many of each application.";
    }

    @Override
    public List<Line> measure() {
        List<Variant> variants = new ArrayList<>();
        for (Size size : sizes) {
            variants.add(new Variant(Figures.nodes(size.nodes), () -> {
                BenchmarkCluster cluster =
                        new BenchmarkCluster(size.nodes, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
                cluster.cycle(0);
                cluster.submit("app-", placements / BenchmarkCluster.APPLICATIONS, 1);
                return () -> {
                    cluster.cycle(placements);
                    return placements;
                };
            }));
        }
        Rounds measured = Rounds.measure(variants, warmup, rounds);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            Bound bound = i == 0 ? speed : null;
            lines.add(new Line(variants.get(i).name(), Line.PLACEMENTS, measured.perSecond(i), bound, ""));
        }
        for (int i = 1; i < sizes.size(); i++) {
            lines.add(Line.speed(measured, i, 0, sizes.get(i).relative));
        }
        return lines;
    }
}
