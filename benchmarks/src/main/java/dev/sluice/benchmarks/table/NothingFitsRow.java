package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import java.util.List;

/** Cycles over full clusters in which a million tasks wait, every application's of another shape. */
record NothingFitsRow(int warmup, int rounds) implements Row {

    private static final int WAITING = 1_000_000;

    @Override
    public String name() {
        return "nothing-fits";
    }

    @Override
    public String title() {
        return "A full cluster";
    }

    @Override
    public String about() {
        return "1,000 nodes whose every core is taken, " + Figures.format(WAITING)
                + " tasks that wait, of 1,000 applications with a shape each. Before a cycle a task ends that is too small to make room for any,"
                + " so every shape is to be tried again; or nothing happens.";
    }

    @Override
    public List<Line> measure() {
        ManyClassesCluster touched = new ManyClassesCluster(WAITING);
        ManyClassesCluster untouched = new ManyClassesCluster(WAITING);
        Rounds measured = Rounds.measure(
                List.of(afterAnEnd(touched), new Variant("untouched", () -> untouched::cycle)), warmup, rounds);
        Quantiles afterAnEnd = measured.nanos(0).times(1e-6);
        return List.of(
                Line.bounded("a cycle in which nothing fits", "ms", afterAnEnd, Bound.below(5, 1)),
                Line.info(
                        "the same when nothing has happened",
                        "ms",
                        measured.nanos(1).times(1e-6)));
    }

    /** Cycles over this cluster, before each of which a small task ends. */
    static Variant afterAnEnd(ManyClassesCluster cluster) {
        return new Variant("after an end", () -> {
            cluster.endSmall();
            return cluster::cycle;
        });
    }
}
