package dev.sluice.server.yunikorn;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts nodes by how much of each resource is allocated, a node at a time. */
public final class YuniKornUtilizationReport {

    private static final int RANGES = 10;
    private static final int WIDTH = 100 / RANGES;

    private final Map<String, List<Range>> types = new TreeMap<>();

    private static final class Range {

        private final List<String> names = new ArrayList<>();
        private int nodes;
    }

    /** Adds a node. */
    public void add(Partition partition, Node node) {
        Map<String, Long> used = Views.amounts(partition.types().resources(node::allocated));
        YuniKornViews.percent(used, Views.amounts(node.capacity())).forEach((type, percent) -> {
            List<Range> ranges = types.computeIfAbsent(type, key -> ranges());
            // YuniKorn's ranges contain their upper bound
            Range range = ranges.get((int) Math.max(0, Math.min(RANGES, (percent + WIDTH - 1) / WIDTH) - 1));
            range.nodes++;
            if (range.names.size() < YuniKornViews.LISTED_MAX) {
                range.names.add(node.name());
            }
        });
    }

    private static List<Range> ranges() {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < RANGES; i++) {
            ranges.add(new Range());
        }
        return ranges;
    }

    /** Returns the counts of a partition. */
    public YuniKornUtilization of(String partition) {
        List<YuniKornUtilization.OfType> utilizations = new ArrayList<>();
        types.forEach((type, ranges) -> {
            List<YuniKornUtilization.Range> views = new ArrayList<>();
            for (int i = 0; i < RANGES; i++) {
                views.add(new YuniKornUtilization.Range(
                        i * WIDTH + "-" + (i + 1) * WIDTH + "%", ranges.get(i).nodes, ranges.get(i).names));
            }
            utilizations.add(new YuniKornUtilization.OfType(type, views));
        });
        return new YuniKornUtilization(YuniKornViews.CLUSTER, partition, utilizations);
    }
}
