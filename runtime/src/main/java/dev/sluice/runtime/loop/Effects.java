package dev.sluice.runtime.loop;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import java.util.List;

/** Executes decisions, such as starting and stopping tasks. The outcome is reported back as commands. */
@FunctionalInterface
public interface Effects {

    /**
     * Executes the effects of these events, which are durable, in order. Must return immediately and do slow work on
     * other threads.
     *
     * @param state the state after the last event; read-only, and only valid during the call
     */
    void execute(List<Event> events, SchedulerState state);
}
