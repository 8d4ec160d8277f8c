package dev.sluice.core.schedule;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The number of pending tasks of each equivalence class in some applications of a leaf, and how many of them are
 * feasible: large enough ready nodes exist. Updated with every task, and rebuilt when nodes change.
 */
final class PendingCounts {

    private final NodeClasses nodes;
    private final Map<EquivalenceClass, Count> counts = new LinkedHashMap<>();
    private long feasible;

    PendingCounts(NodeClasses nodes) {
        this.nodes = nodes;
    }

    /** The pending tasks of one class. */
    static final class Count {
        final EquivalenceClass equivalenceClass;
        private final boolean feasible;
        private long tasks;
        private int backlogs;

        private Count(EquivalenceClass equivalenceClass, boolean feasible) {
            this.equivalenceClass = equivalenceClass;
            this.feasible = feasible;
        }

        /** Returns the number of feasible tasks: all tasks of the class or none. */
        long feasible() {
            return feasible ? tasks : 0;
        }
    }

    /** Adds the tasks of a backlog; returns the count to pass to {@link #change}. */
    Count add(EquivalenceClass equivalenceClass, long tasks) {
        Count count =
                counts.computeIfAbsent(equivalenceClass, key -> new Count(key, nodes.isFeasibleOnReadyNodes(key)));
        count.backlogs++;
        change(count, tasks);
        return count;
    }

    /** Changes the number of tasks by this difference. */
    void change(Count count, long tasks) {
        count.tasks += tasks;
        feasible += count.feasible ? tasks : 0;
    }

    /** Removes a backlog with its tasks. */
    void remove(Count count, long tasks) {
        change(count, -tasks);
        count.backlogs--;
        if (count.backlogs == 0) {
            counts.remove(count.equivalenceClass);
        }
    }

    /** Returns the number of feasible tasks of all classes. */
    long feasible() {
        return feasible;
    }

    /** Returns the counts by class. */
    Collection<Count> byClass() {
        return Collections.unmodifiableCollection(counts.values());
    }
}
