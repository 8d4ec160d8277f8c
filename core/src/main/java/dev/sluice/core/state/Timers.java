package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is due in future, in order. */
final class Timers {

    private final TreeSet<Timer> timers = new TreeSet<>();

    /** Makes this due so much later than that instant, and nothing else of it. */
    void set(TimerSubject subject, Instant from, Duration duration) {
        cancel(subject);
        Timer timer = new Timer(Timer.later(from, duration), subject);
        subject.timer = timer;
        timers.add(timer);
    }

    /** Makes this due at that instant, of which nothing is due; returns whether it can be told apart from all that is. */
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
