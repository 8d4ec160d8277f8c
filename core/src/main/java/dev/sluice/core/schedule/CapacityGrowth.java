package dev.sluice.core.schedule;

import dev.sluice.core.state.Node;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The nodes whose free capacity has grown lately, so that what did not fit is tried again only if it may fit now.
 *
 * <p>Instants are numbers that grow with each change.
 */
final class CapacityGrowth {

    private static final int NODES_MAX = 64;

    /** When each node grew last, in that order. */
    private final Map<Node, Long> grown = new LinkedHashMap<>();

    private long changes;
    private long knownSince;

    /** Returns the number of the last change. */
    long now() {
        return changes;
    }

    /** Called when the free capacity of a node has changed; {@code grew} if it has more of some type. */
    void changed(Node node, boolean grew) {
        changes++;
        if (grew) {
            grown.remove(node);
            grown.put(node, changes);
            if (grown.size() > NODES_MAX) {
                Iterator<Long> oldest = grown.values().iterator();
                knownSince = oldest.next();
                oldest.remove();
            }
        }
    }

    /** Called when any node may have more free capacity. */
    void allChanged() {
        changes++;
        knownSince = changes;
        grown.clear();
    }

    /**
     * Returns an upper bound of the number of tasks with this demand that fit in addition to those that fitted at an
     * earlier instant; {@link Long#MAX_VALUE} if that is not known.
     */
    long tasksSince(long instant, long[] demand) {
        if (instant < knownSince) {
            return Long.MAX_VALUE;
        }
        long tasks = 0;
        for (Map.Entry<Node, Long> each : grown.entrySet()) {
            if (each.getValue() > instant) {
                long more = each.getKey().tasksMax(demand);
                tasks = more > Long.MAX_VALUE - tasks ? Long.MAX_VALUE : tasks + more;
            }
        }
        return tasks;
    }
}
