package dev.sluice.core.engine;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.List;

/** Applies each event to the state as soon as it is decided, and collects the events in order. */
final class Emitter {

    private final SchedulerState state;
    private final List<Event> events = new ArrayList<>();
    private boolean applying;

    Emitter(SchedulerState state) {
        this.state = state;
    }

    void emit(Event event) {
        applying = true;
        state.apply(event);
        applying = false;
        events.add(event);
    }

    /**
     * Emits a placement. Placements are by far the most frequent events, so the caller passes the objects that the
     * event names and saves the lookups.
     */
    void emit(TaskEvent.Placed event, Partition partition, TaskGroup group, Node node) {
        applying = true;
        event.applyTo(partition, group, node);
        applying = false;
        events.add(event);
    }

    /**
     * Returns whether there are events that were not taken, or an event whose application to the state failed halfway.
     */
    boolean hasPendingEvents() {
        return applying || !events.isEmpty();
    }

    /** Returns and clears the collected events. */
    List<Event> take() {
        List<Event> taken = List.copyOf(events);
        events.clear();
        return taken;
    }
}
