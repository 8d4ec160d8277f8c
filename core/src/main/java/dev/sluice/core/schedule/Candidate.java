package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;

/** The task whose turn it is: always the first of an application's tasks of one shape, which changes when it is placed. */
public final class Candidate {

    final QueueSchedule leaf;
    final ApplicationSchedule application;
    final Backlog backlog;

    Candidate(QueueSchedule leaf, ApplicationSchedule application, Backlog backlog) {
        this.leaf = leaf;
        this.application = application;
        this.backlog = backlog;
    }

    /** The application. */
    public Application application() {
        return application.application;
    }

    /** The tasks alike of which one is meant. */
    public TaskGroup group() {
        return backlog.first();
    }

    /** Which of them, from 0. */
    public int index() {
        return group().nextIndex();
    }

    /** What it takes, as a vector; not to be changed. */
    public long[] demand() {
        return backlog.equivalenceClass.demand;
    }
}
