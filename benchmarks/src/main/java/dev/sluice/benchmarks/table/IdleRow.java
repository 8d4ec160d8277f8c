package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import java.util.ArrayList;
import java.util.List;

/** Cycles without changes and without pending tasks. */
record IdleRow(int warmup, int rounds, List<Integer> sizes) implements Row {

    private static final int RUNNING = 100_000;
    private static final int CYCLES = 1000;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String title() {
        return "Cycles without changes";
    }

    @Override
    public String about() {
        return "Successive cycles over clusters with " + Figures.format(RUNNING)
                + " running tasks, no pending tasks and no changes.";
    }

    @Override
    public List<Line> measure() {
        List<Variant> variants = new ArrayList<>();
        for (int nodes : sizes) {
            BenchmarkCluster cluster =
                    new BenchmarkCluster(nodes, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            cluster.submit("app-", RUNNING / BenchmarkCluster.APPLICATIONS, 1);
            cluster.cycle(RUNNING);
            variants.add(new Variant(Figures.nodes(nodes), () -> () -> {
                for (int i = 0; i < CYCLES; i++) {
                    cluster.cycle(0);
                }
                return CYCLES;
            }));
        }
        Rounds measured = Rounds.measure(variants, warmup, rounds);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            lines.add(Line.info(variants.get(i).name(), "cycles/s", measured.perSecond(i)));
        }
        for (int i = 1; i < sizes.size(); i++) {
            lines.add(Line.speed(measured, i, 0, Bound.atLeast(0.5, 0.8)));
        }
        return lines;
    }
}
