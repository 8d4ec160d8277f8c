package dev.sluice.core.engine;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Applies events as they are decided and keeps them in order. */
final class Emitter {

    private final SchedulerState state;
    private List<Event> events = new ArrayList<>();
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

    /** The same for a placement, by far the most frequent event, where what it names is at hand. */
    void emit(TaskEvent.Placed event, Partition partition, TaskGroup group, Node node) {
        applying = true;
        event.applyTo(partition, group, node);
        applying = false;
        events.add(event);
    }

    /** Whether there are events that nobody has taken, or one that was not applied to its end. */
    boolean hasPendingEvents() {
        return applying || !events.isEmpty();
    }

    /** The events so far, which are forgotten here. */
    List<Event> take() {
        List<Event> taken = Collections.unmodifiableList(events);
        events = new ArrayList<>();
        return taken;
    }
}
