package dev.sluice.core.reference;

import dev.sluice.core.resource.ResourceTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts amounts to cores, relative to the totals. */
final class ReferenceCores {

    /** In the order in which the partition added the types: sums of doubles depend on it. */
    private final List<String> types = new ArrayList<>();

    private final Map<String, Double> factors = new TreeMap<>();

    ReferenceCores(ResourceTypes known, List<ReferenceNode> nodes) {
        Map<String, Long> total = new TreeMap<>();
        nodes.forEach(
                node -> node.capacityWithoutSlots().forEach((type, amount) -> total.merge(type, amount, Long::sum)));
        double cores = total.getOrDefault(ResourceTypes.VCORE, 0L) / 1000.0;
        long workers = nodes.stream().mapToLong(ReferenceNode::workers).sum();
        double units = cores > 0 ? cores : workers;
        for (int i = 0; i < known.size(); i++) {
            String type = known.name(i);
            long all = total.getOrDefault(type, 0L);
            types.add(type);
            factors.put(
                    type,
                    switch (type) {
                        case ResourceTypes.VCORE -> 0.001;
                        case ResourceTypes.SLOTS -> cores > 0 || units == 0 ? 0.0 : 1.0;
                        default -> all == 0 ? 0.0 : units / all;
                    });
        }
    }

    double of(Map<String, ? extends Number> amounts) {
        double sum = 0;
        for (String type : types) {
            Number amount = amounts.get(type);
            sum += amount == null ? 0 : amount.doubleValue() * factors.getOrDefault(type, 0.0);
        }
        return sum;
    }

    List<String> types() {
        return types;
    }

    /** Returns the usage priority after some time under constant usage. */
    static double decayed(double priority, Instant since, double usage, Instant now, Duration halftime) {
        if (!since.isBefore(now)) {
            return priority;
        }
        double beta = StrictMath.pow(0.5, seconds(Duration.between(since, now)) / seconds(halftime));
        return beta * priority + (1 - beta) * usage;
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
