package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;

/**
 * Something that is due at an instant: the end of an application's stay in its state, of a task's time, of a node's time in its
 * state, or of the time for which a queue must be out of balance.
 *
 * <p>Timers are ordered by (due; nodes, queues, then applications; index; task sequence), an application's stay before its tasks.
 *
 * @param due when
 * @param subject whose
 */
public record Timer(Instant due, TimerSubject subject) implements Comparable<Timer> {

    /** The instant that lies so much later, or the end of time if that comes first or within a second of it. */
    static Instant later(Instant from, Duration duration) {
        // Duration.between would fill in an exception each time, since there are more nanoseconds until then than a
        // long counts
        long secondsLeft = Instant.MAX.getEpochSecond() - from.getEpochSecond();
        return duration.toSeconds() < secondsLeft ? from.plus(duration) : Instant.MAX;
    }

    @Override
    public int compareTo(Timer other) {
        int order = due.compareTo(other.due);
        order = order != 0 ? order : Integer.compare(subject.timerRank(), other.subject.timerRank());
        order = order != 0 ? order : Integer.compare(subject.timerIndex(), other.subject.timerIndex());
        return order != 0 ? order : Long.compare(subject.timerSequence(), other.subject.timerSequence());
    }
}
