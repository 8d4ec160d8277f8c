package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Something that is due at an instant: the end of an application's stay in its state, or of a task's time.
 *
 * <p>Timers are ordered by (due, application index, task sequence), a stay before the tasks.
 *
 * @param due when
 * @param application whose
 * @param task the task whose time is up then, or null for the application's stay in its state
 */
public record Timer(
        Instant due, Application application, @Nullable Task task) implements Comparable<Timer> {

    private static final Comparator<Timer> ORDER = Comparator.comparing(Timer::due)
            .thenComparingInt(timer -> timer.application.index())
            .thenComparingLong(Timer::taskSequence);

    /** The instant that lies so much later, or the end of time if that comes first. */
    static Instant later(Instant from, Duration duration) {
        return Duration.between(from, Instant.MAX).compareTo(duration) <= 0 ? Instant.MAX : from.plus(duration);
    }

    private long taskSequence() {
        return task == null ? -1 : task.sequence();
    }

    @Override
    public int compareTo(Timer other) {
        return ORDER.compare(this, other);
    }
}
