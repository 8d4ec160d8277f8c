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
 * @param placements the number of tasks placed by the cycle, a multiple of 1,000
 * @param speed the limits of the first size in placements per second, or null
 * @param sizes the sizes; the others are compared with the first
 */
record PlacementRow(
        int warmup, int rounds, int placements, @Nullable Bound speed, List<Size> sizes) implements Row {

    /**
     * A cluster size.
     *
     * @param nodes the number of nodes
     * @param relative the limits of its speed relative to the first size, or null
     */
    record Size(int nodes, @Nullable Bound relative) {}

    @Override
    public String name() {
        return "placements";
    }

    @Override
    public String title() {
        return "Filling an empty cluster";
    }

    @Override
    public String about() {
        return "Tasks of 1 core and 1 GiB on equal, empty nodes of 100 cores, bin packing, fair parent and fifo"
                + " leaf queues: after a cycle that sorts the nodes, one cycle places "
                + Figures.format(placements) + " of them, equally many of each application.";
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
