package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import java.util.List;

/** Cycles over full clusters with a million pending tasks, one equivalence class per application. */
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
        return "1,000 nodes without a free core, " + Figures.format(WAITING)
                + " pending tasks of 1,000 applications with one equivalence class each. Before a cycle a task ends"
                + " that is too small to let any other fit, so every class is tried again; or nothing changes.";
    }

    @Override
    public List<Line> measure() {
        ManyClassesCluster touched = new ManyClassesCluster(WAITING);
        ManyClassesCluster untouched = new ManyClassesCluster(WAITING);
        Rounds measured = Rounds.measure(
                List.of(afterAnEnd(touched), new Variant("unchanged", () -> untouched::cycle)), warmup, rounds);
        Quantiles afterAnEnd = measured.nanos(0).times(1e-6);
        return List.of(
                Line.bounded("cycle in which no task fits", "ms", afterAnEnd, Bound.below(5, 1)),
                Line.info("same, without changes", "ms", measured.nanos(1).times(1e-6)));
    }

    /** Returns cycles over this cluster, before each of which a small task ends. */
    static Variant afterAnEnd(ManyClassesCluster cluster) {
        return new Variant("after an end", () -> {
            cluster.endSmall();
            return cluster::cycle;
        });
    }
}
