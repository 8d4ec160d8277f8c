package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import java.util.ArrayList;
import java.util.List;

/** Cycles over a full cluster in which gangs wait. */
record GangsRow(int warmup, int rounds, int nodes, int gangs) implements Row {

    @Override
    public String name() {
        return "gangs";
    }

    @Override
    public String title() {
        return "Gangs that wait in a full cluster";
    }

    @Override
    public String about() {
        return Figures.nodes(nodes) + " of " + GangsCluster.CORES + " cores, all of them taken by tasks of 1 core, and "
                + Figures.format(gangs) + " waiting gangs of " + GangsCluster.MEMBERS
                + ": a driver of 2 cores, the rest workers of 1 core. The cycle after the end of a task leaves its core"
                + " free; before the next end a single task takes it. Reservations are off; gang-reservations measures"
                + " them.";
    }

    @Override
    public List<Line> measure() {
        GangsCluster full = new GangsCluster(nodes, gangs);
        GangsCluster changing = new GangsCluster(nodes, gangs);
        List<Variant> variants = List.of(
                new Variant("cycle without changes", () -> full::cycle),
                new Variant("cycle after the end of a task", () -> {
                    changing.endOne();
                    return changing::cycle;
                }));
        Rounds measured = Rounds.measure(variants, warmup, rounds);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < variants.size(); i++) {
            Bound bound = Bound.below(5, 1);
            String what = variants.get(i).name();
            Quantiles slowest = Quantiles.of(measured.nanosMax(i));
            lines.add(Line.bounded(what, "ms", measured.nanos(i).times(1e-6), bound));
            lines.add(Line.bounded("slowest " + what, "ms", slowest.times(1e-6), bound));
        }
        return lines;
    }
}
