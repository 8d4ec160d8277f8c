package dev.sluice.kubernetes.metrics;

import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts preemptions in a partition and their victims, which follow each other in its events. Not thread-safe. */
public final class Preemptions {

    private final String partition;
    private final SchedulingListener listener;

    /** Creates counts of a partition. */
    public Preemptions(String partition, SchedulingListener listener) {
        this.partition = partition;
        this.listener = listener;
    }

    /** Receives the events of one transaction, in order. */
    public void committed(List<Event> events) {
        TaskRef beneficiary = null;
        int victims = 0;
        for (Event event : events) {
            TaskRef next = beneficiary(event);
            if (victims > 0 && (next == null || !next.equals(beneficiary))) {
                listener.preempted(victims);
                victims = 0;
            }
            beneficiary = next;
            victims += next == null ? 0 : 1;
        }
        if (victims > 0) {
            listener.preempted(victims);
        }
    }

    /** Returns the task for which another one is preempted, or null. */
    private @Nullable TaskRef beneficiary(Event event) {
        return event instanceof TaskEvent.Stopping stopping
                        && stopping.reason().isPreemption()
                        && stopping.partition().equals(partition)
                ? stopping.beneficiary()
                : null;
    }
}
