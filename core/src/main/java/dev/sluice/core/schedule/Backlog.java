package dev.sluice.core.schedule;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.state.TaskGroup;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The pending tasks of one application that belong to one equivalence class, ordered by (longest expected duration,
 * creation).
 */
final class Backlog extends Ranked {

    final EquivalenceClass equivalenceClass;
    final ApplicationSchedule application;

    /** Whether it was skipped in this cycle. */
    boolean skipped;

    /** The first group when the backlog was last ranked in its application's order, or null if it is not ranked. */
    @Nullable TaskGroup ranked;

    private @Nullable TaskGroup first;
    private long tasks;

    // the counts that include its tasks, if any
    private @Nullable PendingCounts counts;
    private PendingCounts.@Nullable Count count;
    private @Nullable Candidate candidate; // cached, so that tasks share one object
    private final PriorityQueue<TaskGroup> groups = new PriorityQueue<>(1, Backlog::compare);

    Backlog(EquivalenceClass equivalenceClass, ApplicationSchedule application) {
        this.equivalenceClass = equivalenceClass;
        this.application = application;
    }

    /**
     * Compares the backlogs of an application by (priority, expected duration of the first task, creation of its
     * group).
     */
    static int compare(Backlog a, Backlog b) {
        int order = Integer.compare(b.equivalenceClass.priority(), a.equivalenceClass.priority());
        return order != 0 ? order : compare(a.first(), b.first());
    }

    private static int compare(TaskGroup a, TaskGroup b) {
        int order = b.expectedDuration().compareTo(a.expectedDuration());
        return order != 0 ? order : Integer.compare(a.index(), b.index());
    }

    /** Returns the group of the next task. Only defined if the backlog is not empty. */
    TaskGroup first() {
        if (first == null) {
            throw new IllegalStateException("empty backlog");
        }
        return first;
    }

    /** Returns its next task as a candidate of the given leaf. */
    Candidate candidate(QueueSchedule leaf) {
        if (candidate == null || candidate.leaf != leaf) {
            candidate = new Candidate(leaf, application, this);
        }
        return candidate;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Returns whether its rank is up to date. The rank depends only on the first group. */
    boolean isRanked() {
        return ranked == first;
    }

    void add(TaskGroup group) {
        groups.add(group);
        first = groups.peek();
    }

    /** Returns the number of tasks. */
    long tasks() {
        return tasks;
    }

    /** Changes the number of tasks by this difference. */
    void changeTasks(long change) {
        tasks += change;
        if (counts != null && count != null) {
            counts.change(count, change);
        }
    }

    /** Moves its tasks to other counts, or to none. */
    void countIn(@Nullable PendingCounts newCounts) {
        if (counts != null && count != null) {
            counts.remove(count, tasks);
        }
        counts = newCounts;
        count = newCounts == null ? null : newCounts.add(equivalenceClass, tasks);
    }

    /** Removes leading groups without pending tasks. */
    void dropEmptyGroups() {
        while (first != null && first.pending() == 0) {
            changeTasks(application.dequeued(groups.remove()));
            first = groups.peek();
        }
    }
}
