package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.state.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Partly used clusters: random tasks end, and one cycle places as many new ones. */
record ChurnRow(int warmup, int rounds, List<Integer> sizes) implements Row {

    private static final int ENDED_MAX = 100_000;

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public String title() {
        return "Replacing tasks that end at random";
    }

    @Override
    public String about() {
        return "Same with tasks of 10 cores and 10 GiB that fill the nodes to 90 %: four ninths of them, at most "
                + Figures.format(ENDED_MAX)
                + ", end at random and as many are added, both not measured; then one cycle places those. It includes"
                + " updates deferred by the ends.";
    }

    @Override
    public List<Line> measure() {
        List<Variant> variants = new ArrayList<>();
        for (int nodes : sizes) {
            variants.add(variant(nodes));
        }
        Rounds measured = Rounds.measure(variants, warmup, rounds);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            lines.add(Line.info(variants.get(i).name(), Line.PLACEMENTS, measured.perSecond(i)));
        }
        for (int i = 1; i < sizes.size(); i++) {
            lines.add(Line.speed(measured, i, 0, null));
        }
        return lines;
    }

    private static Variant variant(int nodes) {
        int ended = Math.min(nodes * 4, ENDED_MAX);
        BusyCluster cluster = new BusyCluster(nodes, 10, nodes * 9, 0);
        return new Variant(Figures.nodes(nodes), new Supplier<>() {
            private List<Event> events = List.of();

            @Override
            public Variant.Work get() {
                cluster.started(events);
                cluster.end(ended);
                cluster.add(ended);
                return () -> {
                    events = cluster.cycle(ended);
                    return ended;
                };
            }
        });
    }
}
