package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.resource.ResourceTypes;
import java.util.SortedMap;
import java.util.TreeMap;

/** The sum of demands by resource type, to be compared with what something counts. */
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

    /** Makes it so much of this type, whatever was added. */
    void set(String type, long amount) {
        amounts.remove(type);
        if (amount != 0) {
            amounts.put(type, amount);
        }
    }

    /** Claims that the subject counts as much. */
    void check(Object subject, String what, long[] counted) {
        same(subject, what, StateText.amounts(counted, types), amounts);
    }
}
