package dev.sluice.core.state;

import org.jspecify.annotations.Nullable;

/** What may have something due in future: at most one timer each. */
public abstract sealed class TimerSubject permits Node, Queue, Application, Task {

    /** Its timer while one is set, or null. */
    @Nullable Timer timer;

    /** Where its timers stand among those that are due at the same instant; nodes first, then queues, then applications. */
    abstract int timerRank();

    /** Where its timers stand among those of the same rank; a task's is its application's. */
    abstract int timerIndex();

    /** Where its timers stand among those of the same rank and index; what has no other of its index is before all. */
    long timerSequence() {
        return -1;
    }
}
