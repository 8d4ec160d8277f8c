package dev.sluice.core.schedule;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.state.TaskGroup;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The pending tasks of one application that are of one shape, longest expected duration first, then in the order of creation. */
final class Backlog extends Ranked {

    final EquivalenceClass equivalenceClass;
    final ApplicationSchedule application;

    /** Whether it was passed over and waits to be offered again. */
    boolean skipped;

    /** The group by which it stands in its application's order, or null if it does not. */
    @Nullable TaskGroup ranked;

    private @Nullable TaskGroup first;
    private long tasks;

    // where its tasks are counted, if they are
    private @Nullable PendingCounts counts;
    private PendingCounts.@Nullable Count count;
    private @Nullable Candidate candidate; // made once, not for every task
    private final PriorityQueue<TaskGroup> groups = new PriorityQueue<>(1, Backlog::compare);

    Backlog(EquivalenceClass equivalenceClass, ApplicationSchedule application) {
        this.equivalenceClass = equivalenceClass;
        this.application = application;
    }

    /** The order of an application's backlogs: (priority, expected duration of the first task, its place in the order of creation). */
    static int compare(Backlog a, Backlog b) {
        int order = Integer.compare(b.equivalenceClass.priority(), a.equivalenceClass.priority());
        return order != 0 ? order : compare(a.first(), b.first());
    }

    private static int compare(TaskGroup a, TaskGroup b) {
        int order = b.expectedDuration().compareTo(a.expectedDuration());
        return order != 0 ? order : Integer.compare(a.index(), b.index());
    }

    /** The group whose next task goes first; only when there is one. */
    TaskGroup first() {
        if (first == null) {
            throw new IllegalStateException("nothing is pending");
        }
        return first;
    }

    /** The turn of its next task in the leaf in which it is. */
    Candidate candidate(QueueSchedule leaf) {
        if (candidate == null || candidate.leaf != leaf) {
            candidate = new Candidate(leaf, application, this);
        }
        return candidate;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Whether it stands in its application's order where it belongs: that depends on its first group alone. */
    boolean isRanked() {
        return ranked == first;
    }

    void add(TaskGroup group) {
        groups.add(group);
        first = groups.peek();
    }

    /** How many tasks there are. */
    long tasks() {
        return tasks;
    }

    /** Takes note that there are so many tasks more. */
    void changeTasks(long change) {
        tasks += change;
        if (counts != null && count != null) {
            counts.change(count, change);
        }
    }

    /** Has its tasks counted here from now on, or nowhere. */
    void countIn(@Nullable PendingCounts newCounts) {
        if (counts != null && count != null) {
            counts.remove(count, tasks);
        }
        counts = newCounts;
        count = newCounts == null ? null : newCounts.add(equivalenceClass, tasks);
    }

    /** Takes out the groups at the front that have nothing pending any more, telling the application of each. */
    void dropEmptyGroups() {
        while (first != null && first.pending() == 0) {
            application.dequeued(groups.remove());
            first = groups.peek();
        }
    }
}
