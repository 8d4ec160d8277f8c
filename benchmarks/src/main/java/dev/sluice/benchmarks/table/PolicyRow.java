package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import java.util.ArrayList;
import java.util.List;

/** Every share policy of the root with every sort policy of the leaves. */
record PolicyRow(int warmup, int rounds) implements Row {

    private static final int NODES = 1000;
    private static final int PLACEMENTS = 100_000;

    @Override
    public String name() {
        return "policies";
    }

    @Override
    public String title() {
        return "Share policy of the root / sort policy of the leaves";
    }

    @Override
    public String about() {
        return "Same as placements at " + Figures.nodes(NODES)
                + ": share policy of the root / sort policy of the leaves. Below load each class has 1 %,"
                + " below usage the priority factors cycle through 1 to 4. Each is compared with the one with the"
                + " fastest median.";
    }

    @Override
    public List<Line> measure() {
        List<Variant> variants = new ArrayList<>();
        for (SharePolicyKind share : SharePolicyKind.values()) {
            for (ApplicationSortPolicy sort : ApplicationSortPolicy.values()) {
                variants.add(variant(share, sort));
            }
        }
        Rounds measured = Rounds.measure(variants, warmup, rounds);
        int fastest = measured.fastest();
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < variants.size(); i++) {
            lines.add(Line.info(variants.get(i).name(), Line.PLACEMENTS, measured.perSecond(i)));
        }
        for (int i = 0; i < variants.size(); i++) {
            if (i != fastest) {
                lines.add(Line.speed(measured, i, fastest, Bound.atLeast(0.5, 0.8)));
            }
        }
        return lines;
    }

    private static Variant variant(SharePolicyKind share, ApplicationSortPolicy sort) {
        return new Variant(share.wireName() + " / " + sort.wireName(), () -> {
            BenchmarkCluster cluster = new BenchmarkCluster(NodeSortPolicy.BIN_PACKING, share, sort);
            cluster.addNodes(NODES);
            cluster.cycle(0);
            cluster.submit("app-", PLACEMENTS / BenchmarkCluster.APPLICATIONS, 1);
            return () -> {
                cluster.cycle(PLACEMENTS);
                return PLACEMENTS;
            };
        });
    }
}
