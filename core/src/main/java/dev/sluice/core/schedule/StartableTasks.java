package dev.sluice.core.schedule;

import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts the pending tasks below a queue that could start now if nodes had headroom for them; see
 * {@link dev.sluice.core.share.Child#startableTasks}.
 *
 * <p>A task counts if it could start alone. Below a maximum no more count than would fit there if all were as small as the smallest of each
 * resource. Leaves without a maximum give numbers that are kept up to date; below a maximum every shape is looked at, once.
 */
final class StartableTasks {

    /** The queues from the one that was asked about down to the present one that have a maximum. */
    private final Deque<Limited> limited = new ArrayDeque<>();

    /** A queue with a maximum and the smallest that any task below it takes of each resource. */
    private static final class Limited {
        private final Queue queue;
        private long[] smallest = {};
        private boolean any;

        private Limited(Queue queue) {
            this.queue = queue;
        }

        private void include(long[] demand) {
            if (!any) {
                smallest = demand.clone();
                any = true;
                return;
            }
            for (int type = 0; type < smallest.length; type++) {
                smallest[type] = Math.min(smallest[type], Vectors.at(demand, type));
            }
        }

        /** The most of these tasks that fit below the maximum. */
        private long maxTasks() {
            long[] headroom = queue.headroom();
            long max = Long.MAX_VALUE;
            for (int type = 0; type < Math.min(headroom.length, smallest.length); type++) {
                if (smallest[type] > 0) {
                    max = Math.min(max, headroom[type] / smallest[type]);
                }
            }
            return max;
        }
    }

    /** How many there are below this queue, the maximum of this queue included. */
    long count(QueueSchedule queue) {
        if (queue.queue().configuration().max().isEmpty()) {
            return countInside(queue);
        }
        Limited own = new Limited(queue.queue());
        limited.push(own);
        long inside = countInside(queue);
        limited.pop();
        return Math.min(inside, own.maxTasks());
    }

    private long countInside(QueueSchedule queue) {
        if (queue.queue().pendingTasks() == 0) {
            return 0;
        }
        if (queue.isLeaf()) {
            return countInLeaf(queue);
        }
        long sum = 0;
        for (QueueSchedule child : queue.children()) {
            if (queue.policy().serves(child)) {
                sum += count(child);
            }
        }
        return sum;
    }

    private long countInLeaf(QueueSchedule leaf) {
        boolean full = leaf.queue().firstQueueAtMaxApplications() != null;
        long sum = sum(leaf.pendingOfActive());
        if (!full) {
            sum += sum(leaf.pendingOfInactive());
        }
        ApplicationSchedule nextToStart = leaf.applications().nextToStart();
        if (nextToStart != null && (!full || nextToStart.application.isActive())) {
            for (Backlog backlog : nextToStart.backlogs()) {
                sum += leaf.isFeasible(backlog.equivalenceClass) && isWithinMaxima(backlog.equivalenceClass)
                        ? backlog.tasks()
                        : 0;
            }
        }
        return sum;
    }

    private long sum(PendingCounts counts) {
        if (limited.isEmpty()) {
            return counts.admitted();
        }
        long sum = 0;
        for (PendingCounts.Count count : counts.byClass()) {
            sum += count.admitted() > 0 && isWithinMaxima(count.equivalenceClass) ? count.admitted() : 0;
        }
        return sum;
    }

    /** Whether a task of this shape is within all the maxima alone; then it is one of those that share what is left below them. */
    private boolean isWithinMaxima(EquivalenceClass equivalenceClass) {
        for (Limited each : limited) {
            if (each.queue.typeOverMax(equivalenceClass.demand) >= 0) {
                return false;
            }
        }
        limited.forEach(each -> each.include(equivalenceClass.demand));
        return true;
    }
}
