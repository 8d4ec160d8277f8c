package dev.sluice.core.share;

import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.util.List;

/**
 * What children of a {@code usage} parent are due: fractions of the free capacity and what the participating children
 * use, as in {@link UsageDivision}, but of each resource. Free capacity that a maximum of the parent or of a queue
 * above it withholds does not count.
 */
final class UsageDue {

    private final long[] everything;

    /**
     * Computes what there is to divide.
     *
     * @param free the free capacity
     * @param participants the children with eligible tasks
     */
    UsageDue(Queue parent, long[] free, List<Queue> participants) {
        everything = new long[free.length];
        for (int type = 0; type < everything.length; type++) {
            everything[type] = Math.max(0, Math.min(free[type], headroom(parent, type)));
            for (Queue participant : participants) {
                everything[type] += participant.allocated(type);
            }
        }
    }

    private static long headroom(Queue parent, int type) {
        long headroom = Long.MAX_VALUE;
        for (Queue queue = parent; queue != null; queue = queue.parent()) {
            headroom = Math.min(headroom, queue.max(type) - queue.allocated(type));
        }
        return headroom;
    }

    /** Returns the amount of a resource type that a child with this fraction is due: at most its own maximum. */
    long of(Queue child, double fraction, int type) {
        return Math.min(Math.round(Vectors.at(everything, type) * fraction), child.max(type));
    }
}
