package dev.sluice.core.state;

import java.time.Instant;

/**
 * A timer: the end of the time that an application may stay in its state, of a task's timeout or retry delay, of the
 * time that a node may stay in its health or that tasks tolerate its taints, or of the minimum duration before a queue
 * rebalances.
 *
 * <p>Timers are ordered by (due; nodes, queues, then applications; index; task sequence); an application's own timer
 * comes before those of its tasks.
 *
 * @param due when it expires
 * @param subject what it belongs to
 */
public record Timer(Instant due, TimerSubject subject) implements Comparable<Timer> {

    @Override
    public int compareTo(Timer other) {
        int order = due.compareTo(other.due);
        order = order != 0 ? order : Integer.compare(subject.timerRank(), other.subject.timerRank());
        order = order != 0 ? order : Integer.compare(subject.timerIndex(), other.subject.timerIndex());
        return order != 0 ? order : Long.compare(subject.timerSequence(), other.subject.timerSequence());
    }
}
