package dev.sluice.core.state;

import org.jspecify.annotations.Nullable;

/** An object that may have at most one timer. */
public abstract sealed class TimerSubject
        permits Node, NodeEviction, Queue, Application, Task, DelayedTask, GangProgress {

    /** Its timer, or null if none is set. */
    @Nullable Timer timer;

    TimerSubject() {}

    /**
     * Returns the first tie-breaker of timers that are due at the same time: nodes first, then queues, then
     * applications and tasks.
     */
    abstract int timerRank();

    /** Returns the second tie-breaker; a task has that of its application. */
    abstract int timerIndex();

    /**
     * Returns the third tie-breaker: the sequence of a task, 0 for the eviction from a node; subjects without one come
     * first.
     */
    long timerSequence() {
        return -1;
    }
}
