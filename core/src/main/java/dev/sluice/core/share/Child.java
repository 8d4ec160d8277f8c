package dev.sluice.core.share;

import dev.sluice.core.state.Queue;

/** A queue as its parent's share policy sees it. */
public interface Child {

    /** The queue. */
    Queue queue();

    /** The index among the parent's children, from 0. */
    int position();

    /** Whether a task below it could be placed now, as far as known in this cycle. */
    boolean isEligible();

    /**
     * The maximum number of pending tasks below it that could start now, given free capacity. Tasks that cannot start
     * regardless of free capacity do not count: a queue up to this child is at its maximum; the maximum number of
     * running applications is reached; the application is behind another one; no ready node is large enough or has the
     * labels; the task is in a class that is never served.
     */
    long startableTasks();

    /**
     * The maximum number of these tasks for which tasks below other children of the parent may be preempted: without
     * those of queues with a preemption fence and those for which preemption is disabled.
     */
    long startableByPreemption();

    /** The highest priority of eligible tasks below it, with its offset; only valid while it is eligible. */
    long priority();

    /** Whether tasks below it were deferred because they exceeded its budget. */
    boolean isOverBudget();

    /** Makes these tasks eligible again, because the budget has grown. */
    void requeue();
}
