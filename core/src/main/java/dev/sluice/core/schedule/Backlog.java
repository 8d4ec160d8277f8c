package dev.sluice.core.schedule;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.state.TaskGroup;
import java.util.Comparator;
import java.util.PriorityQueue;

/** The pending tasks of one application that are of one shape, longest expected duration first, then in the order of creation. */
final class Backlog extends Ranked {

    /** The order of an application's backlogs: (priority, expected duration of the first task, its place in the order of creation). */
    static final Comparator<Backlog> ORDER = Comparator.comparingLong(
                    (Backlog backlog) -> -(long) backlog.shape.priority())
            .thenComparing(Backlog::first, groupOrder());

    final Shape shape;
    final ApplicationSchedule application;

    /** Whether it was passed over and waits to be offered again. */
    boolean aside;

    private final PriorityQueue<TaskGroup> groups = new PriorityQueue<>(2, groupOrder());

    Backlog(Shape shape, ApplicationSchedule application) {
        this.shape = shape;
        this.application = application;
    }

    private static Comparator<TaskGroup> groupOrder() {
        return Comparator.comparing(TaskGroup::expectedDuration, Comparator.reverseOrder())
                .thenComparingInt(TaskGroup::index);
    }

    /** The group whose next task goes first; only when there is one. */
    TaskGroup first() {
        return groups.element();
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    void add(TaskGroup group) {
        groups.add(group);
    }

    /** Takes out the groups at the front that have nothing pending any more, telling the application of each. */
    void dropEmptyGroups() {
        while (!groups.isEmpty() && groups.element().pending() == 0) {
            application.dequeued(groups.remove());
        }
    }
}
