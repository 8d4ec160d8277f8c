package dev.sluice.core.schedule;

import dev.sluice.core.state.Vectors;
import java.util.HashMap;
import java.util.Map;

/**
 * The shapes of what is pending in a queue and the queues below it, and the minimum that any of them takes of each resource: with less than that
 * to give, nobody there need be asked.
 *
 * <p>Counting a shape costs a look into a hash table; the minimum amounts are worked out anew when they are asked for after a shape has gone.
 */
final class PendingClasses {

    /** How many applications have tasks of a shape. */
    private final Map<EquivalenceClass, Integer> uses = new HashMap<>();

    private int prioritised;
    private long[] minimum = {};
    private boolean stale;

    void add(EquivalenceClass equivalenceClass) {
        count(equivalenceClass, 1);
    }

    void remove(EquivalenceClass equivalenceClass) {
        count(equivalenceClass, -1);
    }

    void addAll(PendingClasses others) {
        others.uses.forEach(this::count);
    }

    private void count(EquivalenceClass equivalenceClass, int change) {
        int now = uses.merge(equivalenceClass, change, Integer::sum);
        boolean added = now == change;
        if (now == 0) {
            uses.remove(equivalenceClass);
        }
        if (added || now == 0) {
            stale = true;
            prioritised += equivalenceClass.priority() == 0 ? 0 : added ? 1 : -1;
        }
    }

    /** Whether none of them has a priority but 0. */
    boolean areUnprioritised() {
        return prioritised == 0;
    }

    /** Whether all of them take more than this of one same resource, of which 0 is never too much. */
    boolean allExceed(long[] limits) {
        long[] amounts = minimum();
        for (int type = 0; type < amounts.length; type++) {
            if (amounts[type] > 0 && amounts[type] > Vectors.limitAt(limits, type)) {
                return true;
            }
        }
        return false;
    }

    private long[] minimum() {
        if (stale) {
            long[] smallest = null;
            for (EquivalenceClass equivalenceClass : uses.keySet()) { // in any order: it is the smallest that counts
                if (smallest == null) {
                    smallest = equivalenceClass.demand.clone();
                }
                for (int type = 0; type < smallest.length; type++) {
                    smallest[type] = Math.min(smallest[type], Vectors.at(equivalenceClass.demand, type));
                }
            }
            minimum = smallest == null ? Vectors.empty() : smallest;
            stale = false;
        }
        return minimum;
    }
}
