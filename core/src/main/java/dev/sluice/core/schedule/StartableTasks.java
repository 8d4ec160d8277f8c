package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts the pending tasks below a queue that could start now if nodes had enough free capacity; see
 * {@link dev.sluice.core.share.Child#startableTasks}.
 *
 * <p>A task counts if it could start alone. Below a queue with a maximum, the count is at most the number of tasks that
 * would fit below the maximum if each needed only the smallest demand of each resource; likewise, in each leaf, those
 * of one user or group with a limit. The counts of leaves that are not below a maximum are kept up to date; below a
 * maximum every equivalence class is checked once, and applications with limits are checked one by one.
 */
final class StartableTasks {

    /** The queues with a maximum on the path from the queue that is counted down to the current one. */
    private final Deque<Limited> limited = new ArrayDeque<>();

    /** Whether only tasks count that may preempt others outside the queue that is counted. */
    private final boolean preempting;

    StartableTasks(boolean preempting) {
        this.preempting = preempting;
    }

    /** A queue with a maximum and the smallest demand of each resource among the tasks below it. */
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

        /** Returns the maximum number of these tasks that fit below the queue's maximum. */
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

    /** Returns the count below this queue, limited by its own maximum. */
    long count(QueueSchedule queue) {
        if (preempting && queue.queue().keepsFromPreempting()) {
            return 0;
        }
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
        LimitedTasks ofLimited = new LimitedTasks();
        for (ApplicationSchedule application : leaf.limitedApplications()) {
            if (leaf.isServed(application.application)) {
                count(application, leaf, full, ofLimited);
            }
        }
        ApplicationSchedule nextToStart = leaf.applications().nextToStart();
        if (nextToStart != null) {
            count(nextToStart, leaf, full, ofLimited);
        }
        return sum + ofLimited.count();
    }

    private void count(ApplicationSchedule schedule, QueueSchedule leaf, boolean full, LimitedTasks into) {
        Application application = schedule.application;
        if (!application.isActive() && (full || application.limits().firstAtMaxApplications() != null)) {
            return;
        }
        for (Backlog backlog : schedule.backlogs()) {
            EquivalenceClass equivalenceClass = backlog.equivalenceClass;
            if (leaf.isFeasible(equivalenceClass)
                    && application.limits().firstOverMax(equivalenceClass.demand) == null
                    && isWithinMaxima(equivalenceClass)) {
                into.add(application, equivalenceClass.demand, backlog.tasks());
            }
        }
    }

    private long sum(PendingCounts counts) {
        if (limited.isEmpty()) {
            return counts.feasible();
        }
        long sum = 0;
        for (PendingCounts.Count count : counts.byClass()) {
            sum += count.feasible() > 0 && isWithinMaxima(count.equivalenceClass) ? count.feasible() : 0;
        }
        return sum;
    }

    /**
     * Returns whether one task of this class fits below all the maxima. If so, includes it in their smallest demands.
     */
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
