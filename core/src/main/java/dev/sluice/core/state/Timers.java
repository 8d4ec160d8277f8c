package dev.sluice.core.state;

import dev.sluice.core.application.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The timers of a partition in the order in which they expire. */
final class Timers {

    private final TreeSet<Timer> timers = new TreeSet<>();

    /** Sets the timer of a subject to {@code duration} after {@code from}; replaces its earlier timer. */
    void set(TimerSubject subject, Instant from, Duration duration) {
        cancel(subject);
        Timer timer = new Timer(Deadline.after(from, duration), subject);
        subject.timer = timer;
        timers.add(timer);
    }

    /**
     * Sets the timer of a subject without one; returns false if it has the same position in the order as another timer.
     */
    boolean add(TimerSubject subject, Instant due) {
        Timer timer = new Timer(due, subject);
        subject.timer = timer;
        return timers.add(timer);
    }

    void cancel(TimerSubject subject) {
        if (subject.timer != null) {
            timers.remove(subject.timer);
            subject.timer = null;
        }
    }

    @Nullable Timer next() {
        return timers.isEmpty() ? null : timers.first();
    }

    Collection<Timer> all() {
        return Collections.unmodifiableCollection(timers);
    }
}
