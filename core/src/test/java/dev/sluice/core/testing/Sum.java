package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.resource.ResourceTypes;
import java.util.SortedMap;
import java.util.TreeMap;

/** A sum of demands by resource type, for comparison with a counter. */
final class Sum {

    private final ResourceTypes types;
    private final SortedMap<String, Long> amounts = new TreeMap<>();

    Sum(ResourceTypes types) {
        this.types = types;
    }

    void add(long[] demand, int times) {
        if (times != 0) {
            StateText.amounts(demand, types).forEach((type, amount) -> amounts.merge(type, amount * times, Long::sum));
        }
    }

    /** Sets the sum of this type. */
    void set(String type, long amount) {
        amounts.remove(type);
        if (amount != 0) {
            amounts.put(type, amount);
        }
    }

    /** Asserts that the subject's counter equals this sum. */
    void check(Object subject, String what, long[] counted) {
        same(subject, what, StateText.amounts(counted, types), amounts);
    }
}
