package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;

/**
 * The task to try next: the first task of a {@code Backlog}. It always refers to the current first task, so its group
 * and index change when that task is allocated.
 */
public final class Candidate {

    final QueueSchedule leaf;
    final ApplicationSchedule application;
    final Backlog backlog;

    Candidate(QueueSchedule leaf, ApplicationSchedule application, Backlog backlog) {
        this.leaf = leaf;
        this.application = application;
        this.backlog = backlog;
    }

    public Application application() {
        return application.application;
    }

    /** Returns the group of identical tasks that the task belongs to. */
    public TaskGroup group() {
        return backlog.first();
    }

    /** Returns the index of the task in its group, from 0. */
    public int index() {
        return group().nextIndex();
    }

    /** Returns the resources of the task, slots included, as a vector. Must not be modified. */
    public long[] demand() {
        return backlog.equivalenceClass.demand;
    }
}
