package dev.sluice.core.schedule;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many tasks of each shape are pending in some applications of a leaf, and how many of them some ready node is large enough for; kept up to date task
 * by task. It is made anew when nodes change, as all orders are.
 */
final class PendingCounts {

    private final NodeClasses nodes;
    private final Map<EquivalenceClass, Count> counts = new LinkedHashMap<>();
    private long admitted;

    PendingCounts(NodeClasses nodes) {
        this.nodes = nodes;
    }

    /** The pending tasks of one shape. */
    static final class Count {
        final EquivalenceClass equivalenceClass;
        private final boolean admitted;
        private long tasks;
        private int backlogs;

        private Count(EquivalenceClass equivalenceClass, boolean admitted) {
            this.equivalenceClass = equivalenceClass;
            this.admitted = admitted;
        }

        /** How many of them some ready node is large enough for: all or none. */
        long admitted() {
            return admitted ? tasks : 0;
        }
    }

    /** Counts the tasks of one backlog more; returns where its changes are to be counted. */
    Count add(EquivalenceClass equivalenceClass, long tasks) {
        Count count =
                counts.computeIfAbsent(equivalenceClass, key -> new Count(key, nodes.isFeasibleOnReadyNodes(key)));
        count.backlogs++;
        change(count, tasks);
        return count;
    }

    /** Counts tasks that have become pending, or with a negative number are no longer. */
    void change(Count count, long tasks) {
        count.tasks += tasks;
        admitted += count.admitted ? tasks : 0;
    }

    /** Counts one backlog less, with its tasks. */
    void remove(Count count, long tasks) {
        change(count, -tasks);
        count.backlogs--;
        if (count.backlogs == 0) {
            counts.remove(count.equivalenceClass);
        }
    }

    /** How many tasks there are that some ready node is large enough for. */
    long admitted() {
        return admitted;
    }

    /** Those of each shape. */
    Collection<Count> byClass() {
        return Collections.unmodifiableCollection(counts.values());
    }
}
