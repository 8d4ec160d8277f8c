package dev.sluice.core.reference;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sums and comparisons of amounts by type; missing types are 0. */
final class ReferenceAmounts {

    private ReferenceAmounts() {}

    /** Returns the named amounts, including those of 0. */
    static SortedMap<String, Long> of(Resources resources) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        for (Map.Entry<String, Amount> entry : resources.amounts().entrySet()) {
            amounts.put(entry.getKey(), entry.getValue().value());
        }
        return amounts;
    }

    /** Returns the demand of a task: its resources and one slot. */
    static SortedMap<String, Long> demand(Resources resources) {
        SortedMap<String, Long> demand = of(resources);
        demand.put(ResourceTypes.SLOTS, 1L);
        return demand;
    }

    static void add(SortedMap<String, Long> sum, SortedMap<String, Long> amounts) {
        amounts.forEach((type, amount) -> sum.merge(type, amount, Long::sum));
    }

    static void subtract(SortedMap<String, Long> sum, SortedMap<String, Long> amounts) {
        amounts.forEach((type, amount) -> sum.merge(type, -amount, Long::sum));
    }

    /** Returns the fractions of the total in descending order; 0 for types without total. */
    static List<Double> fractions(SortedMap<String, Long> amounts, SortedMap<String, Long> total) {
        List<Double> fractions = new ArrayList<>();
        amounts.forEach((type, amount) -> fractions.add(fraction(amount, total.getOrDefault(type, 0L))));
        fractions.sort(Collections.reverseOrder());
        return fractions;
    }

    static double fraction(long amount, long divisor) {
        return divisor == 0 ? 0 : (double) amount / divisor;
    }

    /** Compares by the largest fraction, then the next largest, and so on; missing ones are 0. */
    static Comparator<List<Double>> byFractions() {
        return (a, b) -> {
            for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
                int order = Double.compare(i < a.size() ? a.get(i) : 0, i < b.size() ? b.get(i) : 0);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        };
    }
}
