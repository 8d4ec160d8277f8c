package dev.sluice.core.schedule;

import dev.sluice.core.state.Vectors;
import java.util.HashMap;
import java.util.Map;

/**
 * The equivalence classes pending in a queue and the queues below it, and the minimum that any of them needs of each
 * resource. If less than the minimum is available, none of the tasks needs to be tried.
 *
 * <p>Counting a class takes one hash lookup. The minimum is computed again on the first query after a class was added
 * or removed.
 */
final class PendingClasses {

    /** The number of applications with pending tasks of each class. */
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

    /** Returns whether all classes have priority 0. */
    boolean areUnprioritised() {
        return prioritised == 0;
    }

    /**
     * Returns whether there is a resource of which all classes need more than its limit. Needing none of a resource
     * never exceeds its limit.
     */
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
            for (EquivalenceClass equivalenceClass :
                    uses.keySet()) { // the iteration order does not matter for a minimum
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
